import type { z } from 'zod'
import type { ErrorCode, Retry, WireError } from '#contract/errors.ts'

type Details = NonNullable<WireError['details']>

/** `message` says what to do; `details` never contain secrets. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly retry: Retry
  readonly details: Details | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Details; retry?: Retry; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retry = options.retry ?? 'never'
    this.details = options.details
  }

  toWire(): WireError {
    const { code, message, retry, details } = this
    return details ? { code, message, retry, details } : { code, message, retry }
  }
}

export function fromWire(error: WireError): AppError {
  return new AppError(error.code, error.message, {
    retry: error.retry,
    ...(error.details ? { details: error.details } : {}),
  })
}

export function badInput(error: z.ZodError): AppError {
  const issues = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  return new AppError('bad_input', `Invalid input. ${issues.join(' ')}`, {
    details: { fields: error.issues.map(({ path }) => path.join('.')) },
  })
}

/** Safe to log: the message could quote a secret or what the user entered. */
export function withoutMessage(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [error.name, ...frames].join('\n')
}
