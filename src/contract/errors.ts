import * as z from 'zod'

/** Stable, because scripts and the interface depend on them. */
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
  'relay_failed',
  'access_off',
  'declined',
  'timeout',
  'internal',
] as const
export const ErrorCode = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof ErrorCode>

/** When a rejected call can be retried. `after-reauthorize`: with a new token, after a 401 of the service. */
export const Retry = z.enum(['never', 'after-reauthorize', 'later'])
export type Retry = z.infer<typeof Retry>

/** `message` says what to do, and never contains a secret. */
export const WireError = z.object({
  code: ErrorCode,
  message: z.string(),
  retry: Retry,
  details: z.record(z.string(), z.json()).optional(),
  /** Of the log entry, only with `internal`. */
  logId: z.string().optional(),
})
export type WireError = z.infer<typeof WireError>
