import type { TunnelSpan, TunnelView } from '#contract/tunnel.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../ports.ts'
import type { TunnelPace } from './pace.ts'
import type { Prober } from './probe/prober.ts'
import type { ProviderWorld, TunnelProvider } from './provider.ts'
import type { StoredTunnel } from './record.ts'
import type { Door } from './way-in.ts'

/** What the tunnel works with. Time, chance and the network come as arguments. */
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
  readonly door: Door
  readonly changed: (view: TunnelView) => void
  readonly store: TunnelStore
  /** Other times than the usual ones. */
  readonly pace?: Partial<TunnelPace> | undefined
}

/** What is kept beyond a run of Tabscope. A store that cannot be written does not stop the tunnel. */
export interface TunnelStore {
  readonly initial: StoredTunnel
  /** The newest of the history. */
  readonly lastSpanId: number
  readonly write: (stored: StoredTunnel) => Promise<void>
  readonly writeSpan: (span: TunnelSpan) => Promise<void>
  readonly readSpans: (since: number, limit: number) => Promise<TunnelSpan[]>
}
