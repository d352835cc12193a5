import type { TunnelView } from '#contract/tunnel.ts'
import type { Capture } from '../listener/capture.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Network } from '../../platform/http/network.ts'
import type { EnginePorts } from '../../platform/ports.ts'
import type { StoredTunnel } from './record.ts'
import type { TunnelTimings } from './timings.ts'
import { createProber } from './probe/prober.ts'
import { tunnelProviders } from './providers.ts'
import { Tunnel } from './tunnel.ts'

interface EngineParts {
  readonly ports: EnginePorts
  readonly clock: Clock
  readonly store: { initial: StoredTunnel; write(stored: StoredTunnel): Promise<void> }
  readonly capture: Capture
  readonly network: Network
  readonly probeKey: Uint8Array
  readonly timings: Partial<TunnelTimings> | undefined
}

export function createTunnelService(
  { ports, clock, store, capture, network, probeKey, timings }: EngineParts,
  changed: (view: TunnelView) => void,
): Tunnel {
  return new Tunnel({
    providers: tunnelProviders,
    dependencies: { tunnelThread: ports.threads.tunnel, network, env: process.env },
    prober: createProber(probeKey, network),
    clock,
    log: ports.log,
    random: Math.random,
    tunnelListener: {
      open: () => capture.api.call('openTunnelListener'),
      close: () => capture.closeTunnelListener(),
      last: () => capture.api.call('lastTunnelRequestAt'),
      holding: () => capture.api.call('tunnelConnectionsWaiting'),
    },
    changed,
    store,
    timings,
  })
}
