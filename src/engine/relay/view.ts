import type { RelayView } from '#contract/relay.ts'
import type { RelayStatus } from './messages.ts'
import { subjectsOf } from './subjects.ts'
import type { RelayFacts, StoredRelay } from './store.ts'

/** `status` null: nothing follows it, for the reason `reason`. */
export function relayView(
  { id, name, record }: StoredRelay,
  facts: RelayFacts | null,
  status: RelayStatus | null,
  reason: string | null,
): RelayView {
  const { user, servers, endpoints, enabled, forward } = record
  const positions = subjectsOf(record).map(
    (subject) => facts?.positions.find((each) => each.subject === subject)?.position ?? 0,
  )
  const { receivers, ...of } = status ?? idle
  return {
    id,
    name,
    user,
    servers: [...servers],
    endpoints: [...endpoints],
    enabled,
    forward,
    ...of,
    ...(status ? {} : { state: enabled ? 'offline' : 'paused', reason }),
    // Those of quiet endpoints follow later.
    position: Math.max(0, ...positions),
    deliveries: facts?.deliveries ?? 0,
    receivers: [...receivers],
    away: facts?.away ?? null,
    removed: facts?.removed ?? null,
  }
}

const idle: RelayStatus = {
  state: 'paused',
  since: 0,
  reason: null,
  nextTryAt: null,
  behind: null,
  behindSince: null,
  expiresAt: null,
  receivers: [],
}
