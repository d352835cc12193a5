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

/** What happens while a grant, which the service gives once, cannot be stored: it is held in memory, and storing it is retried. */
export interface Unstored {
  /** Aborted: it is tried no more, and the write's error is thrown. */
  readonly signal: AbortSignal
  /** Called once, with why it cannot be stored, as sentences. */
  readonly waiting: (reason: string) => void
}

/** A newer token, or a sentence why there is none. */
export type Renewal = { token: UsableToken } | { token: null; why: string }

/** The life of tokens: the one room that holds them in clear text, and that refreshes them. */
export interface Tokens {
  /** Opens again what could not be unsealed before. */
  reopen(): Promise<void>
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
      /** Absent: an error of the storage is thrown at once. */
      unstored?: Unstored
    },
  ): Promise<TokenView>
  /** Throws `not_found`, or `token_unusable` when it was forgotten or cannot be unsealed. One that was refused is given all the same. */
  use(id: number): UsableToken
  /**
   * The service answered a call that carried this version of the token: 401 and 403 go into its life, 2xx clears an earlier refusal. An
   * answer to an older version changes nothing. `serverDate`: the answer's `Date` in seconds since the epoch, which tells a clock that is off.
   */
  met(used: UsableToken, status: number, serverDate?: number | null): Promise<void>
  /**
   * For a call that met 401 after the token's end: the token that is newer than `used`, after exactly one refresh for all that ask at once. Null:
   * nothing may refresh by itself (not proven, switched off, no refresh token), or the refresh failed; `why` is a sentence.
   */
  renew(used: UsableToken, serverDate?: number | null): Promise<Renewal>
  /**
   * Tries the refresh template once, by the user's wish; joins one that is under way. One that fails, for want of a refresh token too, is a
   * failed run. Throws `not_found`.
   */
  refresh(id: number): Promise<Run>
  /** An empty label becomes the next "Token n". Throws `not_found`. */
  label(id: number, label: string): Promise<TokenView>
  /** In clear text, on a click of the user. Throws `not_found`, or `token_unusable` when it is not there. */
  reveal(id: number, which: 'access' | 'refresh'): string
  /** Deletes the values, from the store's files too; the timeline stays. Throws `not_found`. */
  forget(id: number): Promise<TokenView>
  /** With its timeline. Throws `not_found`. */
  remove(id: number): Promise<void>
  /** An integration changed: what is due, and what may refresh by itself, is looked at anew. */
  integrationChanged(): void
  /** An integration was deleted, and its tokens with it. */
  integrationRemoved(integrationId: number): void
  /** All access and refresh tokens in clear text, so that records can hold them back. */
  clearValues(): { name: string; label: string; value: string }[]
}
