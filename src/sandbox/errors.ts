/**
 * `bad_target`: the URL or a header is invalid; `bad_set`: an override is invalid; `unreachable`: no response was received; `too_many`: a limit of
 * configured entries is reached. From `port_in_use` on: of the simulated service.
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

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
