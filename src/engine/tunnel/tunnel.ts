import type { ListenerState } from '#contract/models.ts'
import {
  defaultTunnelSetup,
  type TunnelProviderView,
  type TunnelSpan,
  type TunnelView,
  type TunnelWarning,
  type TunnelWish,
} from '#contract/tunnel.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../ports.ts'
import { notYet } from './not-yet.ts'
import type { Prober } from './probe/prober.ts'
import type { ProviderWorld, TunnelProvider } from './provider.ts'

/** The tunnel as the rest of the engine knows it. */
export interface Tunnel {
  view(): TunnelView
  /** Null: by the stored setup. Throws `bad_input`. */
  open(wish: TunnelWish | null, temporary: boolean): Promise<TunnelView>
  close(): Promise<TunnelView>
  check(): Promise<TunnelView>
  configure(setup: TunnelWish): Promise<TunnelView>
  providers(): Promise<TunnelProviderView[]>
  copied(url: string): Promise<TunnelView>
  dismiss(kind: TunnelWarning['kind']): Promise<TunnelView>
  /** Throws `bad_input` when no tunnel is open. */
  probeSizes(): TunnelView
  stopSizes(): TunnelView
  history(since: number, limit: number): Promise<TunnelSpan[]>
  /** The listener listens, or does not: without one there is nothing to lead to. */
  listenerChanged(listener: ListenerState): void
  /** Opens what was open when Tabscope was last closed. */
  resume(): void
  /** Closes it because Tabscope ends: it is wanted as before. */
  end(): Promise<void>
}

/** What it works with. Time, chance and the network come as arguments. */
export interface TunnelParts {
  readonly providers: readonly TunnelProvider[]
  readonly world: ProviderWorld
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  /** From 0 to 1. */
  readonly random: () => number
  /** Another text when the machine has other addresses in the network. */
  readonly network: () => string
  readonly door: {
    open(): Promise<number>
    close(): Promise<void>
    /** Milliseconds since the epoch; 0: never. */
    last(): Promise<number>
  }
  readonly changed: (view: TunnelView) => void
}

export function createTunnel(parts: TunnelParts): Tunnel {
  const off: TunnelView = {
    state: 'off',
    since: parts.clock.now(),
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
    browser: null,
    connections: null,
    warnings: [],
    sizes: null,
  }
  return {
    view: () => off,
    open: () => notYet('the tunnel'),
    close: async () => off,
    check: async () => off,
    configure: () => notYet('the tunnel'),
    providers: () => notYet('the tunnel'),
    copied: async () => off,
    dismiss: async () => off,
    probeSizes: () => notYet('the tunnel'),
    stopSizes: () => off,
    history: async () => [],
    listenerChanged: () => undefined,
    resume: () => undefined,
    end: async () => undefined,
  }
}
