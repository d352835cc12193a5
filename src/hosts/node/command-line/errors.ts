import type { ErrorCode } from '#contract/errors.ts'
import type { RunFailure } from '#contract/authorization.ts'
import type { ExitCode } from './command.ts'

export class RunFailed extends Error {
  override readonly name = 'RunFailed'
  readonly failure: RunFailure
  readonly exitCode: ExitCode
  readonly details: readonly string[]

  constructor(failure: RunFailure, exitCode: ExitCode = 1, details: readonly string[] = []) {
    super(failure.message)
    this.failure = failure
    this.exitCode = exitCode
    this.details = details
  }
}

/** Exit code 2, and a message on stderr that says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code: ErrorCode | 'usage'

  constructor(message: string, code: ErrorCode | 'usage' = 'usage') {
    super(message)
    this.code = code
  }
}
