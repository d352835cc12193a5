import { eventLogVersion } from '#contract/event-log.ts'
import { AppError } from '../../errors.ts'

/** A file of a version that is not known here. */
export function tooNew(version: number): AppError {
  return new AppError(
    'log_too_new',
    `The event log was written in version ${version} of its format, and this Tabscope reads up to version ${eventLogVersion}. Update Tabscope, then import it again.`,
    { details: { found: version, known: eventLogVersion } },
  )
}
