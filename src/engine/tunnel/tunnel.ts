import type { ListenerState } from '#contract/models.ts'
import type {
  SizeProbe,
  TunnelProviderView,
  TunnelSpan,
  TunnelView,
  TunnelWarning,
  TunnelSetup,
} from '#contract/tunnel.ts'
import { AppError } from '../platform/errors.ts'
import { throttle } from '#shared/async/throttle.ts'
import type { Wanted } from './attempt.ts'
import { History } from './history.ts'
import { TunnelSupervisor } from './supervisor.ts'
import { Memory } from './memory.ts'
import { defaultTimings, type TunnelTimings } from './timings.ts'
import type { ProviderDependencies, TunnelProvider } from './provider.ts'
import { type Door, TunnelEntry } from './entry.ts'
import { publicServerNotice, why } from './sentences.ts'
import { TunnelStatus } from './status.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/ports.ts'
import type { Prober } from './probe/prober.ts'
import type { StoredTunnel } from './record.ts'

interface SizesParts {
  readonly prober: Prober
  readonly clock: Clock
  readonly log: Log
  readonly changed: () => void
}

/** Tries what sizes of body the tunnel lets through, one run at a time. */
class Sizes {
  readonly #parts: SizesParts
  #probe: SizeProbe | null = null
  #run: AbortController | null = null
  #lastThrough = 0

  constructor(parts: SizesParts) {
    this.#parts = parts
  }

  /** The last run. */
  get view(): SizeProbe | null {
    return this.#probe
  }

  /** When a body last came through, in milliseconds since the epoch; 0: none has. */
  get lastThrough(): number {
    return this.#lastThrough
  }

  /** Begins; one that goes on is left to go on. `gone`: the tunnel is. */
  start(url: string, gone: AbortSignal): void {
    if (this.#run) return
    const run = new AbortController()
    this.#run = run
    const at = this.#parts.clock.now()
    this.#set({ at, running: true, url, steps: [], largest: null, stopsAt: null })
    const stop = (): void => {
      if (this.#run === run) this.stop()
    }
    gone.addEventListener('abort', stop, { once: true })
    const told = (probe: SizeProbe): void => {
      if (this.#run !== run) return
      if (probe.steps.at(-1)?.outcome === 'passed') this.#lastThrough = this.#parts.clock.now()
      this.#set({ ...probe, running: true })
    }
    const end = async (): Promise<void> => {
      try {
        const probe = await this.#parts.prober.sizes(url, told, run.signal)
        if (this.#run === run) this.#over(probe)
      } catch (error) {
        this.#parts.log.error('the size probe failed by itself', error)
        if (this.#run === run) this.stop()
      } finally {
        gone.removeEventListener('abort', stop)
      }
    }
    void end()
  }

  /** What it has found so far stays. */
  stop(): void {
    const run = this.#run
    if (!run || !this.#probe) return
    this.#over(this.#probe)
    run.abort()
  }

  #over(probe: SizeProbe): void {
    this.#run = null
    this.#set({ ...probe, running: false })
  }

  #set(probe: SizeProbe): void {
    this.#probe = probe
    this.#parts.changed()
  }
}

/** In milliseconds. */
const tickEvery = 2000
const networkEvery = 5000

interface NetworkMonitorParts {
  readonly clock: Clock
  /** Another text when the machine has other addresses. */
  readonly network: () => string
  readonly tick: () => void
  readonly networkChanged: () => void
}

/** Looks whether the computer has joined another network. Returns the end of it. */
function monitorNetwork({ clock, network, tick, networkChanged }: NetworkMonitorParts): () => void {
  let addresses = network()
  const repeat = (ms: number, work: () => void): (() => void) => {
    let callOff: (() => void) | null = null
    const plan = (): void => {
      callOff = clock.after(ms, () => {
        plan()
        work()
      })
    }
    plan()
    return () => callOff?.()
  }
  const ends = [
    repeat(tickEvery, tick),
    repeat(networkEvery, () => {
      const now = network()
      if (now === addresses) return
      addresses = now
      networkChanged()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** What the tunnel works with. Time, chance and the network come as arguments. */
interface TunnelParts {
  readonly providers: readonly TunnelProvider[]
  readonly world: ProviderDependencies
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
  readonly pace?: Partial<TunnelTimings> | undefined
}

/** What is kept beyond a run of Tabscope. A store that cannot be written does not stop the tunnel. */
interface TunnelStore {
  readonly initial: StoredTunnel
  /** The newest of the history. */
  readonly lastSpanId: number
  readonly write: (stored: StoredTunnel) => Promise<void>
  readonly writeSpan: (span: TunnelSpan) => Promise<void>
  readonly readSpans: (since: number, limit: number) => Promise<TunnelSpan[]>
}

/** What is told beside the state is told at most so often, in milliseconds. */
const tellEvery = 200

/** The tunnel as the rest of the engine knows it. */
export interface Tunnel {
  view(): TunnelView
  /** Null: by the stored setup. Throws `bad_input` and `server_unconfirmed`. */
  open(wish: TunnelSetup | null, temporary: boolean, acceptServer?: boolean): Promise<TunnelView>
  close(): Promise<TunnelView>
  check(): Promise<TunnelView>
  configure(setup: TunnelSetup): Promise<TunnelView>
  providers(): Promise<TunnelProviderView[]>
  copied(url: string): Promise<TunnelView>
  dismiss(kind: TunnelWarning['kind']): Promise<TunnelView>
  /** Throws `bad_input` when no tunnel is open. */
  probeSizes(): TunnelView
  stopSizes(): TunnelView
  history(since: number, limit: number): Promise<TunnelSpan[]>
  /** The listener listens, or does not: without one there is nothing to lead to. */
  listenerChanged(listener: ListenerState): void
  /** The computer was asleep, from and to in milliseconds since the epoch: what is open is looked at, and what failed is tried again. */
  slept(from: number, to: number): void
  /** Opens what was open when Tabscope was last closed. */
  resume(): void
  /** Closes it because Tabscope ends: it is wanted as before. */
  end(): Promise<void>
}

/** Puts the supervisor together: what is wanted, what is told, what is remembered. */
export function createTunnel(parts: TunnelParts): Tunnel {
  const { clock, log, store } = parts
  const pace: TunnelTimings = { ...defaultTimings, ...parts.pace }
  const memory = new Memory(store.initial, store.write, clock, log, () => telling.wanted())
  const history = new History({
    clock,
    lastId: store.lastSpanId,
    write: store.writeSpan,
    read: store.readSpans,
  })
  const view = (): TunnelView => ({
    ...standing.view,
    setup: memory.record.setup,
    warnings: memory.record.warnings,
    sizes: sizes.view,
  })
  const telling = throttle(clock, tellEvery, () => parts.changed(view()))
  const standing = new TunnelStatus(clock, (now, before) => {
    telling.wanted()
    if (!before) return
    const provider = (now.using ?? before.using)?.provider
    // What was when Tabscope was closed is no stretch of its own: the strip ends there.
    if (isEnding) history.end()
    else if (provider !== undefined) history.enter({ ...now, provider })
    telling.flush()
  })
  const sizes = new Sizes({ ...parts, changed: () => telling.wanted() })
  const keeper = new TunnelSupervisor({
    ...parts,
    pace,
    standing,
    again: (wish) => memory.nameFor(wish),
    opened: (tunnel, { wish }) => memory.opened(tunnel, wish),
    way: new TunnelEntry(parts.door, () => sizes.lastThrough),
    cameUp: (url, signal) => void lookAsBrowser(url, signal),
  })
  let stopLooking: (() => void) | null = null
  let ending: Promise<void> | null = null
  let isEnding = false

  async function lookAsBrowser(url: string, signal: AbortSignal): Promise<void> {
    try {
      const browser = await parts.prober.browser(url, signal)
      if (!signal.aborted) standing.note({ browser })
    } catch (error) {
      log.error('looking at the tunnel as a browser failed by itself', error)
    }
  }

  async function end(): Promise<void> {
    isEnding = true
    stopLookOut()
    await keeper.end()
    telling.flush()
  }

  function want(wanted: Wanted, because: Parameters<TunnelSupervisor['want']>[1]): void {
    if (isEnding) return
    stopLooking ??= monitorNetwork({
      clock,
      network: parts.network,
      tick: () => history.carry(),
      networkChanged: () => keeper.shaken(why.networkChanged()),
    })
    keeper.want(wanted, because)
  }

  function stopLookOut(): void {
    stopLooking?.()
    stopLooking = null
  }

  /** Throws `bad_input`. */
  function checked(wish: TunnelSetup): { provider: TunnelProvider; wish: TunnelSetup } {
    const provider = parts.providers.find(({ id }) => id === wish.provider)
    if (!provider) throw new AppError('bad_input', why.unknown(wish.provider).reason)
    return { provider, wish: { provider: wish.provider, options: provider.check(wish.options) } }
  }

  return {
    view,
    open: async (asked, temporary, acceptServer = false) => {
      const { provider, wish } = checked(asked ?? memory.record.setup)
      const server = provider.publicServer?.(wish.options) ?? null
      if (server !== null && !memory.record.acceptedServers.includes(server)) {
        if (!acceptServer) {
          const notice = publicServerNotice(provider.label, server)
          throw new AppError('server_unconfirmed', `${notice} Confirm that you want to use it.`, {
            details: { server },
          })
        }
        if (!temporary) memory.acceptServer(server)
      }
      if (!temporary) memory.want(asked === null ? memory.record.setup : wish)
      want({ provider, wish, temporary }, why.asked(provider.label))
      return view()
    },
    close: async () => {
      memory.unwant()
      stopLookOut()
      await keeper.unwant(why.closed())
      return view()
    },
    check: async () => {
      await keeper.check()
      return view()
    },
    configure: async (setup) => {
      await memory.configure(checked(setup).wish)
      return view()
    },
    providers: () => Promise.all(parts.providers.map((provider) => look(provider, parts.world))),
    copied: async (url) => {
      memory.copied(url, standing.view.url)
      return view()
    },
    dismiss: async (kind) => {
      memory.dismiss(kind)
      return view()
    },
    probeSizes: () => {
      const { live } = keeper
      if (!live) {
        throw new AppError('bad_input', 'No tunnel is open that leads here. Open one first.', {
          retry: 'later',
        })
      }
      sizes.start(live.url, live.signal)
      return view()
    },
    stopSizes: () => {
      sizes.stop()
      return view()
    },
    history: (since, limit) => history.read(since, limit),
    listenerChanged: (listener) => keeper.listenerChanged(listener),
    slept: (from, to) => {
      history.slept(from, to)
      keeper.shaken(why.woke(to - from))
    },
    resume: () => {
      const { setup } = memory.record
      if (!memory.wanted || keeper.wanted) return
      try {
        const { provider, wish } = checked(setup)
        want({ provider, wish, temporary: false }, why.resumed(provider.label))
      } catch (error) {
        // Stored by another version, perhaps.
        const reason = error instanceof AppError ? error.message : String(error)
        standing.stand('offline', why.badOptions(reason), { using: setup })
      }
    },
    end: () => (ending ??= end()),
  }
}

async function look(
  provider: TunnelProvider,
  world: ProviderDependencies,
): Promise<TunnelProviderView> {
  const { id, label, about, fields, notes } = provider
  const found = await provider.look(world)
  return { id, label, about, fields: [...fields], notes: [...notes], ...found }
}
