import type { TunnelProbe, TunnelSetup } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/ports.ts'
import { warnIfSlow, type TunnelTimings } from './timings.ts'
import { openTunnel } from './opening.ts'
import type { Prober } from './probe/prober.ts'
import type { OpenTunnel, ProviderDependencies, TunnelFailure, TunnelProvider } from './provider.ts'
import type { Why } from './sentences.ts'
import { Watch } from './watch.ts'
import type { TunnelEntry } from './entry.ts'

/** A tunnel that is to be open. */
export interface Wanted {
  readonly provider: TunnelProvider
  readonly wish: TunnelSetup
  readonly temporary: boolean
}

/** What an attempt needs of the world. */
export interface AttemptDependencies {
  readonly world: ProviderDependencies
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly pace: TunnelTimings
}

/** What is told of an attempt until it is given up. */
export interface AttemptEvents {
  readonly opened: (tunnel: OpenTunnel) => void
  readonly stands: (state: 'coming' | 'online' | 'degraded', because: Why) => void
  readonly probed: (probe: TunnelProbe) => void
  readonly next: (at: number | null) => void
  readonly connections: (open: number, most: number) => void
  /** Also after it was given up: its provider takes long to let go of it. */
  readonly stuck: () => void
}

/** One tunnel, from its opening until nothing of it is left. */
export class Attempt {
  readonly wanted: Wanted
  readonly #with: AttemptDependencies
  readonly #told: AttemptEvents
  readonly #abort = new AbortController()
  #tunnel: OpenTunnel | null = null
  #watch: Watch | null = null
  #givenUp = false

  constructor(wanted: Wanted, world: AttemptDependencies, told: AttemptEvents) {
    this.wanted = wanted
    this.#with = world
    this.#told = {
      ...told,
      opened: (tunnel) => this.#givenUp || told.opened(tunnel),
      stands: (state, because) => this.#givenUp || told.stands(state, because),
      probed: (probe) => this.#givenUp || told.probed(probe),
      next: (at) => this.#givenUp || told.next(at),
      connections: (open, most) => this.#givenUp || told.connections(open, most),
    }
  }

  /** Nothing is told of it any more, and it ends. */
  giveUp(): void {
    this.#givenUp = true
    this.#abort.abort()
  }

  get isGivenUp(): boolean {
    return this.#givenUp
  }

  /** A probe has come through. */
  get wasUp(): boolean {
    return this.#watch?.up ?? false
  }

  /** Looks after it while it is open; null: it is not, or not any more. */
  get watch(): Watch | null {
    return this.#abort.signal.aborted ? null : this.#watch
  }

  /** Where it leads here from, and until when; null: it was not found to lead here. */
  get live(): { readonly url: string; readonly signal: AbortSignal } | null {
    const url = this.wasUp && this.watch ? this.#tunnel?.url : undefined
    return url === undefined ? null : { url, signal: this.#abort.signal }
  }

  /** Opens it to the port, and looks after it; resolves with why it is to be closed, or null when it was given up. */
  async run(
    port: number,
    again: string | null,
    way: Pick<TunnelEntry, 'last' | 'holds'>,
  ): Promise<TunnelFailure | null> {
    const { provider, wish } = this.wanted
    const opened = await openTunnel(
      provider,
      { port, options: wish.options, again },
      {
        trouble: (reason) => this.#watch?.trouble(reason),
        connections: (open, most) => this.#told.connections(open, most),
      },
      this.#abort,
      { ...this.#with, stuck: this.#told.stuck },
    )
    if (opened === null || !('url' in opened)) return opened
    this.#tunnel = opened
    this.#told.opened(opened)
    const { stands, probed, next } = this.#told
    const lastThrough = (): Promise<number> => way.last()
    const holds = (): Promise<boolean> => way.holds()
    const parts = { ...this.#with, lastThrough, holds, stands, probed, next }
    this.#watch = new Watch(opened, provider.label, this.#abort.signal, parts)
    return this.#watch.run()
  }

  /** Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#abort.abort()
    const { clock, pace } = this.#with
    const closed = this.#tunnel?.closed.then(
      () => undefined,
      () => undefined,
    )
    if (closed) await warnIfSlow(closed, clock, pace.letGoWithin, this.#told.stuck)
  }
}
