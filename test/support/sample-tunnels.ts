import { defaultTunnelSetup } from '#contract/tunnel.ts'
import type { TunnelSpan, TunnelStateName, TunnelView } from '#contract/tunnel.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

export function offTunnel(now: number): TunnelView {
  return {
    state: 'off',
    since: now - 3 * hour,
    cause: 'stopped',
    reason: 'No tunnel is open.',
    url: null,
    nextTryAt: null,
    failures: 0,
    setup: defaultTunnelSetup,
    using: null,
    temporary: false,
    probe: null,
    nextProbeAt: null,
    connections: null,
    warnings: [],
  }
}

export function onlineTunnel(now: number): TunnelView {
  return {
    ...offTunnel(now),
    state: 'online',
    since: now - 12 * minute,
    cause: 'probe_ok',
    reason: 'Requests to the public URL arrive here.',
    url: 'https://pier9.loca.lt',
    setup: { provider: 'localtunnel', options: { subdomain: 'pier9' } },
    using: { provider: 'localtunnel', options: { subdomain: 'pier9' } },
    probe: { at: now - 8 * second, ok: true, durationMs: 84, reason: null },
    nextProbeAt: now + 22 * second,
    connections: { open: 9, max: 10 },
  }
}

export function offlineTunnel(now: number): TunnelView {
  return {
    ...onlineTunnel(now),
    state: 'offline',
    since: now - 6 * second,
    cause: 'server_down',
    reason:
      'The tunnel server loca.lt does not answer. Tabscope tries again by itself; if it lasts, look whether the network is there, or choose another provider.',
    url: null,
    nextTryAt: now + 9 * second,
    failures: 4,
    probe: {
      at: now - 10 * second,
      ok: false,
      durationMs: 5000,
      reason: 'No response was received within 5 s.',
    },
    nextProbeAt: null,
    connections: { open: 0, max: 10 },
  }
}

export function warnedTunnel(now: number): TunnelView {
  const online = onlineTunnel(now)
  return {
    ...online,
    url: 'https://brave-otter-41.loca.lt',
    warnings: [
      {
        kind: 'assigned',
        requested: 'pier9',
        assigned: 'brave-otter-41',
        by: 'user',
        at: now - minute,
      },
      {
        kind: 'address_changed',
        old: 'https://pier9.loca.lt',
        now: 'https://brave-otter-41.loca.lt',
        at: now - minute,
      },
    ],
  }
}

/** History of the hour before `now`, with an outage, a reconnect and a gap in which Tabscope was closed. */
export function someHistory(now: number): TunnelSpan[] {
  const stretches: readonly (readonly [number, TunnelStateName, string])[] = [
    [-58 * minute, 'opening', 'You opened it.'],
    [-58 * minute + 3 * second, 'online', 'Requests to the public URL arrive here.'],
    [-41 * minute, 'degraded', 'No response to the self-probe was received within 5 s.'],
    [-40 * minute, 'reconnecting', 'Reopened, because the self-probe failed three times.'],
    [-39 * minute, 'offline', 'The tunnel server loca.lt does not answer.'],
    [-34 * minute, 'reconnecting', 'Trying again.'],
    [-34 * minute + 2 * second, 'online', 'Requests to the public URL arrive here.'],
    [-26 * minute, 'off', ''],
    [-17 * minute, 'opening', 'It was open when Tabscope was last closed.'],
    [-17 * minute + 4 * second, 'online', 'Requests to the public URL arrive here.'],
    [-12 * minute - 5 * second, 'degraded', 'All connections to the server were closed.'],
    [-12 * minute, 'online', 'Requests to the public URL arrive here.'],
  ]
  return stretches.flatMap(([at, state, reason], index) =>
    // Closed for some minutes: no data.
    state === 'off'
      ? []
      : [
          {
            id: index + 1,
            startedAt: now + at,
            endedAt: now + (stretches[index + 1]?.[0] ?? 0),
            state,
            cause: 'asked',
            reason,
            url: 'https://pier9.loca.lt',
            provider: 'localtunnel',
          },
        ],
  )
}
