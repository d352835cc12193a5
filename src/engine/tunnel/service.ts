import type { TunnelView } from '#contract/tunnel.ts'
import type { Capture } from '../capture/capture.ts'
import type { Clock } from '../platform/clock.ts'
import type { EngineConfig, EnginePorts } from '../platform/ports.ts'
import type { Store } from '../store/store.ts'
import { createProber } from './probe/prober.ts'
import { tunnelProviders } from './providers.ts'
import { createTunnel, type Tunnel } from './tunnel.ts'
import { networkInterfaces } from 'node:os'

interface EngineParts {
  readonly ports: EnginePorts
  readonly clock: Clock
  readonly store: Store
  readonly capture: Capture
  /** The one that the capture thread has. */
  readonly probeKey: Uint8Array
  readonly pace: EngineConfig['tunnelPace']
}

/** The tunnel with what the engine has for it: the door, the store, chance, the network. */
export function createTunnelService(
  { ports, clock, store, capture, probeKey, pace }: EngineParts,
  changed: (view: TunnelView) => void,
): Tunnel {
  return createTunnel({
    providers: tunnelProviders,
    world: { tunnelThread: ports.threads.tunnel, env: process.env },
    prober: createProber(probeKey),
    clock,
    log: ports.log,
    random: Math.random,
    network: networkNow,
    door: {
      open: () => capture.api.call('openTunnelListener'),
      close: () => capture.closeTunnelListener(),
      last: () => capture.api.call('lastTunnelRequestAt'),
      holding: () => capture.api.call('tunnelConnectionsWaiting'),
    },
    changed,
    store: {
      initial: store.initial.tunnel,
      lastSpanId: store.initial.lastSpanId,
      write: (stored) => store.writer.call('writeTunnel', stored),
      writeSpan: (span) => store.writer.call('writeSpan', span),
      readSpans: (since, limit) => store.reader.call('tunnelSpans', { since, limit }),
    },
    pace,
  })
}

/** The addresses of this machine, as one text: another one when it has joined another network. */
function networkNow(): string {
  return Object.entries(networkInterfaces())
    .flatMap(([name, addresses]) =>
      (addresses ?? [])
        .filter(({ internal }) => !internal)
        .map(({ address }) => `${name} ${address}`),
    )
    .toSorted()
    .join('\n')
}
