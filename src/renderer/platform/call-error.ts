import type { ErrorCode, Retry, WireError } from '#contract/errors.ts'

/** A call that was rejected or lost. `message` is a sentence for the user. Branch on `code`. */
export class CallError extends Error {
  readonly code: ErrorCode
  readonly retry: Retry
  readonly details: WireError['details']
  readonly logId: string | undefined

  constructor(error: WireError) {
    super(error.message)
    this.name = 'CallError'
    this.code = error.code
    this.retry = error.retry
    this.details = error.details
    this.logId = error.logId
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

/** Any thrown value as a sentence to show. A text is one already. */
export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (error instanceof CallError) {
    return error.logId === undefined ? error.message : `${error.message} (log ${error.logId})`
  }
  // Thrown by JavaScript or the browser, for programmers.
  const isForeign =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  return error instanceof Error && !isForeign
    ? error.message
    : 'Something went wrong on this page. Reload it, and try again.'
}
