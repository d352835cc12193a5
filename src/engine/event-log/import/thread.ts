import { notYet } from '../not-yet.ts'

/** The thread of one import: reads a file that may be hostile into a store of its own. */
notYet('The thread of an import')
