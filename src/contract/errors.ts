import { z } from 'zod'

/** The closed list of error codes. A code is stable: scripts and the interface branch on it. */
export const errorCodes = [
  'bad_input',
  'bad_filter',
  'not_found',
  'port_in_use',
  'port_forbidden',
  'store_too_new',
  'store_in_use',
  'store_failed',
  'path_taken',
  'secret_unavailable',
  'sandbox_failed',
  'listener_down',
  'connection_lost',
  'name_taken',
  'in_use',
  'not_ours',
  'run_over',
  'other_origin',
  'token_unusable',
  'bad_target',
  'target_unconfirmed',
  'confirmation_required',
  'server_unconfirmed',
  'log_unreadable',
  'log_too_new',
  'file_exists',
  'file_failed',
  'timeout',
  'internal',
] as const
export const ErrorCode = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof ErrorCode>

/**
 * What a caller may do with a refused call: `never` unchanged, `after-reauthorize` once a new token is there
 * (the service's 401), `later` as it is.
 */
export const Retry = z.enum(['never', 'after-reauthorize', 'later'])
export type Retry = z.infer<typeof Retry>

/** An error as it crosses the wire. `message` is a sentence that says what to do; it never holds a secret. */
export const WireError = z.object({
  code: ErrorCode,
  message: z.string(),
  retry: Retry,
  details: z.record(z.string(), z.json()).optional(),
  /** Only with `internal`: look this up in the log. */
  logId: z.string().optional(),
})
export type WireError = z.infer<typeof WireError>
