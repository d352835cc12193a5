import type { ErrorCode, Retry, WireError } from '#contract/errors.ts'

/** A call that was rejected or lost. `message` is a sentence for the user. Branch on `code`. */
export class CallError extends Error {
  readonly code: ErrorCode
  readonly retry: Retry
  readonly details: WireError['details']

  constructor(error: WireError) {
    super(error.logId === undefined ? error.message : `${error.message} (log ${error.logId})`)
    this.name = 'CallError'
    this.code = error.code
    this.retry = error.retry
    this.details = error.details
  }
}

export function connectionLost(): CallError {
  return new CallError({
    code: 'connection_lost',
    message:
      'The connection to Tabscope was lost before the response arrived. Try again when it is reconnected.',
    retry: 'later',
  })
}
