import type { Finding } from '#contract/models.ts'
import type { Run } from '#contract/authorization.ts'
import type { TokenView } from '#contract/tokens.ts'
import type { TokenGrant } from '../oauth/token-response.ts'

/** A token for a call. */
export interface UsableToken {
  readonly id: number
  readonly integrationId: number
  /** In clear text, for the header. */
  readonly value: string
  readonly version: number
  /** Seconds since the epoch; null if the service did not report it. */
  readonly expires: number | null
}

/** How to handle a grant that cannot be stored: it is kept in memory and the write is retried, since the service issues it only once. */
export interface Unstored {
  /** Aborted: stops retrying and throws the error of the write. */
  readonly signal: AbortSignal
  /** Called once with the reason, as sentences. */
  readonly waiting: (reason: string) => void
}

/** A newer token, or the reason there is none, as a sentence. */
export type Renewal = { token: UsableToken } | { token: null; reason: string }

/** Stores and refreshes tokens. The only component that keeps them in clear text. */
export interface Tokens {
  /** Tries again to decrypt tokens that could not be decrypted before. */
  reopen(): Promise<void>
  views(): TokenView[]
  /** Throws `not_found`. */
  view(id: number): TokenView
  /** Seals and stores the grant of a run, as a new token or in place of `replaces`. */
  keep(
    grant: TokenGrant,
    of: {
      integrationId: number
      label: string
      replaces: number | null
      runId: number
      findings: readonly Finding[]
      /** Absent: storage errors are thrown immediately. */
      unstored?: Unstored
    },
  ): Promise<TokenView>
  /** Throws `not_found`, or `token_unusable` if it was forgotten or cannot be decrypted. A token that the service refused is still returned. */
  use(id: number): UsableToken
  /**
   * Records the response to a call with this version of the token: 401 and 403 change its standing, 2xx clears an earlier refusal. A response
   * for an older version changes nothing. `serverDate`: the response's `Date` in seconds since the epoch, which shows whether a clock is wrong.
   */
  recordResponse(used: UsableToken, status: number, serverDate?: number | null): Promise<void>
  /**
   * For a call that got 401 after the token expired: returns a token that is newer than `used`. Simultaneous calls share one refresh. The token
   * is null if automatic refresh is not possible (not tested, turned off, no refresh token) or failed; `reason` is a sentence.
   */
  renew(used: UsableToken, serverDate?: number | null): Promise<Renewal>
  /**
   * Tries the refresh template once at the user's request, or joins a refresh in progress. A failure, including a missing refresh token, is a
   * failed run. Throws `not_found`.
   */
  refresh(id: number): Promise<Run>
  /** An empty label becomes the next "Token n". Throws `not_found`. */
  label(id: number, label: string): Promise<TokenView>
  /** Returns a value in clear text, when the user asks for it. Throws `not_found`, or `token_unusable` if it is not available. */
  reveal(id: number, which: 'access' | 'refresh'): string
  /** Deletes the values, including their bytes in the store's files. The timeline stays. Throws `not_found`. */
  forget(id: number): Promise<TokenView>
  /** Deletes a token and its timeline. Throws `not_found`. */
  remove(id: number): Promise<void>
  /** Called when an integration changed: checks again which tokens are due and may be refreshed automatically. */
  integrationChanged(): void
  /** Called when an integration was deleted with its tokens. */
  integrationRemoved(integrationId: number): void
  /** All access and refresh tokens in clear text, so that records can mask them. */
  clearValues(): { name: string; label: string; value: string }[]
}
