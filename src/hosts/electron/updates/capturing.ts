/** For so long (ms) after the last delivery a capture counts as one that goes on. */
export const QUIET_MS = 5 * 60_000

/** What is known of what goes on. Times in milliseconds since the epoch. */
export interface GoingOn {
  readonly now: number
  /** Null: nothing arrived since Tabscope was started. */
  readonly lastArrival: number | null
  readonly tunnelOpen: boolean
  readonly sandboxRuns: boolean
  readonly jobs: number
  readonly authorizations: number
  /** Exports and imports. */
  readonly transfers: number
}

/** Why an update must wait, as a sentence; null: nothing would be cut off. */
export function waitsFor(facts: GoingOn): string | null {
  if (facts.jobs > 0) return 'A job is sending deliveries. The update waits until it has ended.'
  if (facts.transfers > 0) return 'An event log is being written or read. The update waits for it.'
  if (facts.authorizations > 0)
    return 'An authorization goes on. The update waits until it has ended.'
  if (facts.sandboxRuns) return 'The sandbox is sending. The update waits until you stop it.'
  if (facts.tunnelOpen)
    return 'The tunnel is open, so deliveries may arrive. The update waits until it is closed.'
  if (facts.lastArrival !== null && facts.now - facts.lastArrival < QUIET_MS) {
    return 'A delivery arrived in the last five minutes. The update waits for a quiet moment.'
  }
  return null
}
