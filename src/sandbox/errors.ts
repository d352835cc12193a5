/**
 * Reasons for which the sandbox rejects a request. `bad_target`: the URL or a header is invalid; `bad_set`: an override is invalid;
 * `bad_rate`: the number of deliveries per second is invalid; `unknown_type`: the event type is not documented; `unreachable`: no response was received; `closed`.
 * Of the simulated service: `port_in_use`; `bad_redirect_url`; `bad_lifetime`: the token lifetime is invalid; `unknown_fault`; `too_many`: a limit of configured entries is reached.
 */
export type SandboxErrorCode =
  | 'bad_target'
  | 'bad_set'
  | 'bad_rate'
  | 'unknown_type'
  | 'unreachable'
  | 'closed'
  | 'port_in_use'
  | 'bad_redirect_url'
  | 'bad_lifetime'
  | 'unknown_fault'
  | 'too_many'

/** An error with a stable code and a message that says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
