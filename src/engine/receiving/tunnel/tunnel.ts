import type { ListenerState } from '#contract/models.ts'
import type {
  TunnelProviderView,
  TunnelView,
  TunnelWarning,
  TunnelSetup,
} from '#contract/tunnel.ts'
import { AppError } from '../../platform/errors.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { messageOf } from '#shared/text/errors.ts'
import type { Wanted } from './attempt.ts'
import { TunnelSupervisor } from './supervisor.ts'
import { Memory } from './memory.ts'
import { defaultTimings, type TunnelTimings } from './timings.ts'
import { detectProviders, type ProviderDependencies, type TunnelProvider } from './provider.ts'
import { type TunnelListener, TunnelEntry } from './entry.ts'
import { publicServerNotice, why } from './messages.ts'
import { TunnelStatus } from './status.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/ports.ts'
import type { Prober } from './probe/prober.ts'
import type { StoredTunnel } from './record.ts'

/** Time and randomness are arguments, so that tests control them. */
interface TunnelParts {
  readonly providers: readonly TunnelProvider[]
  readonly dependencies: ProviderDependencies
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly tunnelListener: TunnelListener
  readonly changed: (view: TunnelView) => void
  readonly store: TunnelStore
  readonly timings?: Partial<TunnelTimings> | undefined
}

/** A store that cannot be written does not stop the tunnel. */
interface TunnelStore {
  readonly initial: StoredTunnel
  readonly write: (stored: StoredTunnel) => Promise<void>
}

const publishEvery = 200

/** The tunnel as the rest of the engine uses it: the supervisor with its status and the stored settings. */
export class Tunnel {
  readonly #parts: TunnelParts
  readonly #memory: Memory
  readonly #status: TunnelStatus
  readonly #supervisor: TunnelSupervisor
  readonly #publishing: Throttle
  #ending: Promise<void> | null = null
  #isEnding = false

  constructor(parts: TunnelParts) {
    const { clock, log, store } = parts
    this.#parts = parts
    this.#publishing = throttle(clock, publishEvery, () => parts.changed(this.view()))
    this.#memory = new Memory(store.initial, store.write, clock, log, () =>
      this.#publishing.wanted(),
    )
    this.#status = new TunnelStatus(clock, (isNewState) => this.#statusChanged(isNewState))
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

  /** Without a listener there is nothing to tunnel to. */
  listenerChanged(listener: ListenerState): void {
    this.#supervisor.listenerChanged(listener)
  }

  /** Both in milliseconds since the epoch. Probes an open tunnel, and retries a failed one. */
  resumedFromSleep(from: number, to: number): void {
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
    await this.#supervisor.end()
    this.#publishing.flush()
  }

  #statusChanged(isNewState: boolean): void {
    this.#publishing.wanted()
    if (isNewState) this.#publishing.flush()
  }

  #want(wanted: Wanted, reason: Parameters<TunnelSupervisor['want']>[1]): void {
    if (this.#isEnding) return
    this.#supervisor.want(wanted, reason)
  }

  #validated(setup: TunnelSetup): { provider: TunnelProvider; setup: TunnelSetup } {
    const provider = this.#parts.providers.find(({ id }) => id === setup.provider)
    if (!provider) throw new AppError('bad_input', why.unknown(setup.provider).reason)
    const options = provider.check(setup.options)
    return { provider, setup: { provider: setup.provider, options } }
  }
}
