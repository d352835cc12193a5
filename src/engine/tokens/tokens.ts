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
