import { notYet } from '../not-yet.ts'

/** The thread of one export or preview: reads, redacts, writes. */
notYet('The thread of an export')
