/**
 * What can be wrong with a wish. `bad_target`: the address or a header; `bad_set`: an override;
 * `bad_rate`: deliveries a second; `unknown_type`: not documented; `unreachable`: there was no response; `closed`.
 * Of the service: `port_in_use`; `bad_redirect_url`; `bad_lifetime`: of tokens; `unknown_fault`; `too_many`: of what is configured.
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

/** A stable code, and a sentence that says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
