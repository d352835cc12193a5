import type { ListenerState } from '#contract/models.ts'
import type {
  TunnelProviderView,
  TunnelSpan,
  TunnelView,
  TunnelWarning,
  TunnelSetup,
} from '#contract/tunnel.ts'
import { AppError } from '../platform/errors.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { messageOf } from '#shared/text/errors.ts'
import type { Wanted } from './attempt.ts'
import { History } from './history.ts'
import { TunnelSupervisor } from './supervisor.ts'
import { Memory } from './memory.ts'
import { defaultTimings, type TunnelTimings } from './timings.ts'
import { detectProviders, type ProviderDependencies, type TunnelProvider } from './provider.ts'
import { type TunnelListener, TunnelEntry } from './entry.ts'
import { publicServerNotice, why } from './messages.ts'
import { TunnelStatus, type TunnelStatusView } from './status.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/ports.ts'
import type { Prober } from './probe/prober.ts'
import type { StoredTunnel } from './record.ts'

const tickEvery = 2000
const networkEvery = 5000

interface NetworkMonitorParts {
  readonly clock: Clock
  /** Changes with the network addresses of the machine. */
  readonly network: () => string
  readonly tick: () => void
  readonly networkChanged: () => void
}

/** Detects when the computer joins another network. Returns a function that stops the monitor. */
function monitorNetwork({ clock, network, tick, networkChanged }: NetworkMonitorParts): () => void {
  let addresses = network()
  const repeat = (ms: number, work: () => void): (() => void) => {
    let cancelTimer: (() => void) | null = null
    const schedule = (): void => {
      cancelTimer = clock.after(ms, () => {
        schedule()
        work()
      })
    }
    schedule()
    return () => cancelTimer?.()
  }
  const stops = [
    repeat(tickEvery, tick),
    repeat(networkEvery, () => {
      const now = network()
      if (now === addresses) return
      addresses = now
      networkChanged()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Time, randomness and the network are arguments, so that tests control them. */
interface TunnelParts {
  readonly providers: readonly TunnelProvider[]
  readonly dependencies: ProviderDependencies
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** Changes with the network addresses of the machine. */
  readonly network: () => string
  readonly tunnelListener: TunnelListener
  readonly changed: (view: TunnelView) => void
  readonly store: TunnelStore
  readonly timings?: Partial<TunnelTimings> | undefined
}

/** A store that cannot be written does not stop the tunnel. */
interface TunnelStore {
  readonly initial: StoredTunnel
  readonly lastSpanId: number
  readonly write: (stored: StoredTunnel) => Promise<void>
  readonly writeSpan: (span: TunnelSpan) => Promise<void>
  readonly readSpans: (since: number, limit: number) => Promise<TunnelSpan[]>
}

const publishEvery = 200

/** The tunnel as the rest of the engine uses it: the supervisor with its status, its history and the stored settings. */
export class Tunnel {
  readonly #parts: TunnelParts
  readonly #memory: Memory
  readonly #history: History
  readonly #status: TunnelStatus
  readonly #supervisor: TunnelSupervisor
  readonly #publishing: Throttle
  #stopNetworkMonitor: (() => void) | null = null
  #ending: Promise<void> | null = null
  #isEnding = false

  constructor(parts: TunnelParts) {
    const { clock, log, store } = parts
    this.#parts = parts
    this.#publishing = throttle(clock, publishEvery, () => parts.changed(this.view()))
    this.#memory = new Memory(store.initial, store.write, clock, log, () =>
      this.#publishing.wanted(),
    )
    this.#history = new History({
      clock,
      lastId: store.lastSpanId,
      write: store.writeSpan,
      read: store.readSpans,
    })
    this.#status = new TunnelStatus(clock, (now, before) => this.#statusChanged(now, before))
    this.#supervisor = new TunnelSupervisor({
      ...parts,
      timings: { ...defaultTimings, ...parts.timings },
      status: this.#status,
      nameFor: (setup) => this.#memory.nameFor(setup),
      opened: (tunnel, { setup }) => this.#memory.opened(tunnel, setup),
      entry: new TunnelEntry(parts.tunnelListener),
    })
  }

  view(): TunnelView {
    const { setup, warnings } = this.#memory.record
    return { ...this.#status.view, setup, warnings }
  }

  /** Null: with the stored setup. Throws `bad_input` and `server_unconfirmed`. */
  async open(
    requested: TunnelSetup | null,
    temporary: boolean,
    acceptServer = false,
  ): Promise<TunnelView> {
    const memory = this.#memory
    const { provider, setup } = this.#validated(requested ?? memory.record.setup)
    const server = provider.publicServer?.(setup.options) ?? null
    if (server !== null && !memory.record.acceptedServers.includes(server)) {
      if (!acceptServer) {
        const notice = publicServerNotice(provider.label, server)
        throw new AppError('server_unconfirmed', `${notice} Confirm that you want to use it.`, {
          details: { server },
        })
      }
      if (!temporary) memory.acceptServer(server)
    }
    if (!temporary) memory.want(requested === null ? memory.record.setup : setup)
    this.#want({ provider, setup, temporary }, why.asked(provider.label))
    return this.view()
  }

  async close(): Promise<TunnelView> {
    this.#memory.unwant()
    this.#stopMonitor()
    await this.#supervisor.unwant(why.closed())
    return this.view()
  }

  async check(): Promise<TunnelView> {
    await this.#supervisor.check()
    return this.view()
  }

  async configure(setup: TunnelSetup): Promise<TunnelView> {
    await this.#memory.configure(this.#validated(setup).setup)
    return this.view()
  }

  providers(): Promise<TunnelProviderView[]> {
    const { providers, dependencies } = this.#parts
    return detectProviders(providers, dependencies)
  }

  async copied(url: string): Promise<TunnelView> {
    this.#memory.copied(url, this.#status.view.url)
    return this.view()
  }

  async dismiss(kind: TunnelWarning['kind']): Promise<TunnelView> {
    this.#memory.dismiss(kind)
    return this.view()
  }

  history(since: number, limit: number): Promise<TunnelSpan[]> {
    return this.#history.read(since, limit)
  }

  /** Without a listener there is nothing to tunnel to. */
  listenerChanged(listener: ListenerState): void {
    this.#supervisor.listenerChanged(listener)
  }

  /** Both in milliseconds since the epoch. Probes an open tunnel, and retries a failed one. */
  resumedFromSleep(from: number, to: number): void {
    this.#history.sleep(from, to)
    this.#supervisor.recheck(why.woke(to - from))
  }

  /** Reopens the tunnel that was open when Tabscope was last closed. */
  resume(): void {
    const stored = this.#memory.record.setup
    if (!this.#memory.wanted || this.#supervisor.wanted) return
    try {
      const { provider, setup } = this.#validated(stored)
      this.#want({ provider, setup, temporary: false }, why.resumed(provider.label))
    } catch (error) {
      // The setup may have been stored by another version.
      this.#status.enter('offline', why.badOptions(messageOf(error)), { using: stored })
    }
  }

  /** Tabscope closes: `resume` reopens the tunnel the next time. */
  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<void> {
    this.#isEnding = true
    this.#stopMonitor()
    await this.#supervisor.end()
    this.#publishing.flush()
  }

  #statusChanged(now: TunnelStatusView, before: TunnelStatusView | null): void {
    this.#publishing.wanted()
    if (!before) return
    const provider = (now.using ?? before.using)?.provider
    // Closing Tabscope is not a span of its own: the history ends there.
    if (this.#isEnding) this.#history.end()
    else if (provider !== undefined) {
      const { state, cause, reason, url } = now
      this.#history.enter({ state, cause, reason, url, provider })
    }
    this.#publishing.flush()
  }

  #want(wanted: Wanted, reason: Parameters<TunnelSupervisor['want']>[1]): void {
    if (this.#isEnding) return
    this.#stopNetworkMonitor ??= monitorNetwork({
      clock: this.#parts.clock,
      network: this.#parts.network,
      tick: () => this.#history.extend(),
      networkChanged: () => this.#supervisor.recheck(why.networkChanged()),
    })
    this.#supervisor.want(wanted, reason)
  }

  #stopMonitor(): void {
    this.#stopNetworkMonitor?.()
    this.#stopNetworkMonitor = null
  }

  /** Throws `bad_input`. */
  #validated(setup: TunnelSetup): { provider: TunnelProvider; setup: TunnelSetup } {
    const provider = this.#parts.providers.find(({ id }) => id === setup.provider)
    if (!provider) throw new AppError('bad_input', why.unknown(setup.provider).reason)
    const options = provider.check(setup.options)
    return { provider, setup: { provider: setup.provider, options } }
  }
}
