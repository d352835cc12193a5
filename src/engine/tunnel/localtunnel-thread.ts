import { notYet } from './not-yet.ts'

notYet('the localtunnel client')
