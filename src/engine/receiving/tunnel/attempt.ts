import type { TunnelSetup } from '#contract/tunnel.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/ports.ts'
import { withoutMessage } from '../../platform/errors.ts'
import type { Prober } from './probe/prober.ts'
import {
  failureOf,
  TunnelFailure,
  type OpenOptions,
  type OpenTunnel,
  type ProviderDependencies,
  type TunnelProvider,
} from './provider.ts'
import { why } from './messages.ts'
import type { TunnelTimings } from './timings.ts'
import { Watch, type WatchEvents } from './watch.ts'
import type { TunnelEntry } from './entry.ts'

export interface Wanted {
  readonly provider: TunnelProvider
  readonly setup: TunnelSetup
  readonly temporary: boolean
}

export interface AttemptDependencies {
  readonly dependencies: ProviderDependencies
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly timings: TunnelTimings
}

/** Reported until the attempt is cancelled. */
export interface AttemptEvents extends WatchEvents {
  readonly opened: (tunnel: OpenTunnel) => void
  readonly connections: (open: number, most: number) => void
}

/** One tunnel, from opening until everything is closed. */
export class Attempt {
  readonly wanted: Wanted
  readonly #dependencies: AttemptDependencies
  readonly #events: AttemptEvents
  readonly #abort = new AbortController()
  #tunnel: OpenTunnel | null = null
  #watch: Watch | null = null
  #cancelled = false

  constructor(wanted: Wanted, dependencies: AttemptDependencies, events: AttemptEvents) {
    this.wanted = wanted
    this.#dependencies = dependencies
    this.#events = {
      ...events,
      opened: (tunnel) => this.#cancelled || events.opened(tunnel),
      stateChanged: (state, reason) => this.#cancelled || events.stateChanged(state, reason),
      probed: (probe) => this.#cancelled || events.probed(probe),
      nextProbe: (at) => this.#cancelled || events.nextProbe(at),
      connections: (open, most) => this.#cancelled || events.connections(open, most),
    }
  }

  /** Closes the tunnel and stops reporting events. */
  cancel(): void {
    this.#cancelled = true
    this.#abort.abort()
  }

  get isCancelled(): boolean {
    return this.#cancelled
  }

  get wasUp(): boolean {
    return this.#watch?.up ?? false
  }

  get watch(): Watch | null {
    return this.#abort.signal.aborted ? null : this.#watch
  }

  /** Opens and watches the tunnel. Resolves to the reason to close it, or null if it was cancelled. */
  async run(
    port: number,
    previousName: string | null,
    entry: Pick<TunnelEntry, 'lastReceived' | 'isHoldingResponses'>,
  ): Promise<TunnelFailure | null> {
    const { provider, setup } = this.wanted
    const opened = await this.#open({ port, options: setup.options, previousName })
    if (opened === null || !('url' in opened)) return opened
    this.#tunnel = opened
    this.#events.opened(opened)
    const parts = {
      ...this.#dependencies,
      ...this.#events,
      lastReceived: () => entry.lastReceived(),
      isHoldingResponses: () => entry.isHoldingResponses(),
    }
    this.#watch = new Watch(opened, provider.label, this.#abort.signal, parts)
    return this.#watch.run()
  }

  async #open(options: OpenOptions): Promise<OpenTunnel | TunnelFailure | null> {
    const { provider } = this.wanted
    const { clock, log, timings, dependencies } = this.#dependencies
    const { signal } = this.#abort
    if (signal.aborted) return null
    const events = {
      trouble: (reason: string) => this.#watch?.trouble(reason),
      connections: (open: number, most: number) => this.#events.connections(open, most),
    }
    let timedOut = false
    const cancelTimer = clock.after(timings.openWithin, () => {
      timedOut = true
      this.#abort.abort()
    })
    try {
      const tunnel = await provider.open(options, dependencies, events, signal)
      if (!signal.aborted) return tunnel
      // It opened while it was being cancelled.
      await tunnel.closed
    } catch (error) {
      if (!signal.aborted) {
        if (error instanceof TunnelFailure) return error
        const logId = log.error('a tunnel could not be opened', withoutMessage(error))
        return failureOf(why.internal(provider.label, 'be opened', logId))
      }
    } finally {
      cancelTimer()
    }
    return timedOut ? failureOf(why.openTimeout(provider.label, timings.openWithin)) : null
  }

  async close(): Promise<void> {
    this.#abort.abort()
    await this.#tunnel?.closed.catch(() => undefined)
  }
}
