import { AppError } from '../platform/errors.ts'

/** What SQLite says when a disk is full, broken, or not ours to write for now; first lines of what comes from the writer thread. */
const passing = [
  'database or disk is full',
  'disk I/O error',
  'database is locked',
  'database table is locked',
  'attempt to write a readonly database',
  'unable to open database file',
  'out of memory',
]

/** True where the same write may succeed later: the store cannot be written for now. Anything else fails each time. */
export function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'store_failed' && error.retry === 'later'
  if (!(error instanceof Error)) return false
  const [first = ''] = error.message.split('\n')
  return passing.some((words) => first.includes(words))
}
