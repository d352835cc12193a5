import type { Finding } from '#contract/models.ts'
import type { Run } from '#contract/authorization.ts'
import type { TokenView } from '#contract/tokens.ts'
import type { TokenGrant } from '../oauth/grant.ts'

/** A token to call with. */
export interface UsableToken {
  readonly id: number
  readonly integrationId: number
  /** In clear text: for the one header that it goes into. */
  readonly value: string
  readonly version: number
  /** Seconds since the epoch; null where the service did not say. */
  readonly expires: number | null
}

/** The life of tokens: the one room that holds them in clear text, and that refreshes them. */
export interface Tokens {
  views(): TokenView[]
  /** Throws `not_found`. */
  view(id: number): TokenView
  /** Seals and stores what a run brought: a new token, or in the place of `replaces`. */
  keep(
    grant: TokenGrant,
    of: {
      integrationId: number
      label: string
      replaces: number | null
      runId: number
      findings: readonly Finding[]
    },
  ): Promise<TokenView>
  /** Throws `not_found`, or `token_unusable` when it was forgotten or cannot be unsealed. */
  use(id: number): UsableToken
  /** The service answered a call that carried this version of the token: 401 and 403 go into its life, 2xx clears an earlier 403. */
  met(used: UsableToken, status: number): Promise<void>
  /**
   * For a call that met 401 after the token's end: the token that is newer than `used`, after exactly one refresh for all that ask at once. Null:
   * nothing may refresh by itself (not proven, switched off, no refresh token), or the refresh failed; `why` is a sentence.
   */
  renew(used: UsableToken): Promise<{ token: UsableToken } | { token: null; why: string }>
  /** Tries the refresh template once, by the user's wish; joins one that is under way. */
  refresh(id: number): Promise<Run>
  /** All access and refresh tokens in clear text, so that records can hold them back. */
  clearValues(): { name: string; label: string; value: string }[]
}
