import type { RelayView } from '#contract/relay.ts'
import type { RelayStatus } from './messages.ts'
import type { RelayFacts, RelayRecord, StoredRelay } from '../../deliveries/relay-store.ts'

export function relayView(
  { id, name, record }: StoredRelay,
  facts: RelayFacts | null,
  status: RelayStatus,
): RelayView {
  const { user, servers, endpoints, enabled, forward } = record
  return {
    id,
    name,
    user,
    servers: [...servers],
    endpoints: [...endpoints],
    enabled,
    forward,
    ...status,
    position: (facts?.positions ?? []).reduce((sum, { position }) => sum + position, 0),
    deliveries: facts?.deliveries ?? 0,
    skipped: facts?.skipped ?? 0,
  }
}

/** The reason in commands that run without Tabscope. */
export const notRunning = 'Tabscope is not running.'

/** Of a relay that is paused, that nothing follows for a reason, or that is about to connect. */
export function idleStatus(
  { enabled }: Pick<RelayRecord, 'enabled'>,
  reason: string | null,
  since: number,
): RelayStatus {
  const state = !enabled ? 'paused' : reason === null ? 'connecting' : 'offline'
  return {
    state,
    since,
    reason: enabled ? reason : null,
    nextTryAt: null,
    behind: null,
    behindSince: null,
    expiresAt: null,
    lastReceivedAt: null,
  }
}
