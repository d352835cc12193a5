import type { RunFailure } from '#contract/authorization.ts'
import type { AppError } from '#engine/platform/errors.ts'
import type { ExitCode } from './command-line/command.ts'

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

/** Exit code 2, and one line on stderr that says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** For a command whose exit code 1 is a result: exit code 2. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged'
  override readonly cause: AppError

  constructor(cause: AppError) {
    super(cause.message)
    this.cause = cause
  }
}
