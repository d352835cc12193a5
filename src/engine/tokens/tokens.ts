import type { Finding } from '#contract/models.ts'
import type { Run } from '#contract/authorization.ts'
import type { TokenView } from '#contract/tokens.ts'
import type { TokenGrant } from '../oauth/token-response.ts'

export interface UsableToken {
  readonly id: number
  readonly integrationId: number
  readonly value: string
  readonly version: number
  /** Seconds since the epoch; null if the service did not report it. */
  readonly expires: number | null
}

/** For a grant that cannot be stored: it is kept in memory and the write is retried, since the service issues it only once. */
export interface Unstored {
  /** Aborted: stops retrying and throws the error of the write. */
  readonly signal: AbortSignal
  /** Called once with the reason, as sentences. */
  readonly waiting: (reason: string) => void
}

export interface GrantedTo {
  readonly integrationId: number
  readonly label: string
  readonly replaces: number | null
  readonly runId: number
  readonly findings: readonly Finding[]
  /** Absent: storage errors are thrown immediately. */
  readonly unstored?: Unstored
}

export type Renewal = { token: UsableToken } | { token: null; reason: string }

/** The only component that keeps tokens in clear text. */
export interface Tokens {
  /** Tries again to decrypt tokens that could not be decrypted before. */
  reopen(): Promise<void>
  views(): TokenView[]
  /** Throws `not_found`. */
  view(id: number): TokenView
  /** Seals and stores the grant of a run, as a new token or in place of `replaces`. */
  keep(grant: TokenGrant, of: GrantedTo): Promise<TokenView>
  /** Throws `not_found`, or `token_unusable` if it was forgotten or cannot be decrypted. A token that the service rejected is still returned. */
  use(id: number): UsableToken
  /**
   * Records the response to a call with this version of the token: 401 and 403 change the token's status, 2xx clears an earlier refusal. Ignores
   * older versions.
   */
  recordResponse(used: UsableToken, status: number): Promise<void>
  /**
   * For a call that got 401 after the token expired: returns a token newer than `used`. Simultaneous calls share one refresh. Null with a sentence if
   * automatic refresh is not possible (not tested, turned off, no refresh token) or failed.
   */
  renew(used: UsableToken): Promise<Renewal>
  /** Tries the refresh template once, or joins a refresh in progress. Any failure, such as a missing refresh token, is a failed run. Throws `not_found`. */
  refresh(id: number): Promise<Run>
  /** An empty label becomes the next "Token n". Throws `not_found`. */
  label(id: number, label: string): Promise<TokenView>
  /** Throws `not_found`, or `token_unusable` if the value is not available. */
  reveal(id: number, which: 'access' | 'refresh'): string
  /** Deletes the values, including their bytes in the store's files. The timeline stays. Throws `not_found`. */
  forget(id: number): Promise<TokenView>
  /** Also deletes the timeline. Throws `not_found`. */
  remove(id: number): Promise<void>
  /** Checks again which tokens are due and may be refreshed automatically. */
  integrationChanged(): void
  /** The integration was deleted with its tokens. */
  integrationRemoved(integrationId: number): void
  /** Also without white space at their ends, under the same name. */
  clearValues(): { name: string; label: string; value: string }[]
}
