import type { Run } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import type { TokenGrant } from '../oauth/token-response.ts'
import type { Finding } from '#contract/models.ts'

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

/** `discarded`: the token was replaced, revoked here or deleted during the refresh. */
export type RefreshOutcome = 'stored' | 'discarded'

/** Tries the refresh template once and records a run. `store` gets the grant and returns whether it was stored. */
export type TryRefresh = (
  of: {
    tokenId: number
    integration: Integration
    /** Null: there is none; `reason` is a sentence. */
    refreshToken: { value: string } | { value: null; reason: string }
    signal: AbortSignal
  },
  store: (
    grant: TokenGrant,
    findings: readonly Finding[],
    runId: number,
    waiting: (reason: string) => void,
  ) => Promise<RefreshOutcome>,
) => Promise<Run>
