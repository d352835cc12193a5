import { defaultTunnelSetup, type TunnelView } from '#contract/tunnel.ts'

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
