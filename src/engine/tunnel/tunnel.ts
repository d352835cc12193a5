import type { ListenerState } from '#contract/models.ts'
import type {
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
import { type TunnelListener, TunnelEntry } from './entry.ts'
import { publicServerNotice, why } from './messages.ts'
import { TunnelStatus } from './status.ts'
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

export interface Tunnel {
  view(): TunnelView
  /** Null: with the stored setup. Throws `bad_input` and `server_unconfirmed`. */
  open(setup: TunnelSetup | null, temporary: boolean, acceptServer?: boolean): Promise<TunnelView>
  close(): Promise<TunnelView>
  check(): Promise<TunnelView>
  configure(setup: TunnelSetup): Promise<TunnelView>
  providers(): Promise<TunnelProviderView[]>
  copied(url: string): Promise<TunnelView>
  dismiss(kind: TunnelWarning['kind']): Promise<TunnelView>
  history(since: number, limit: number): Promise<TunnelSpan[]>
  /** Without a listener there is nothing to tunnel to. */
  listenerChanged(listener: ListenerState): void
  /** Both in milliseconds since the epoch. Probes an open tunnel, and retries a failed one. */
  resumedFromSleep(from: number, to: number): void
  /** Reopens the tunnel that was open when Tabscope was last closed. */
  resume(): void
  /** Tabscope closes: `resume` reopens the tunnel the next time. */
  end(): Promise<void>
}

export function createTunnel(parts: TunnelParts): Tunnel {
  const { clock, log, store } = parts
  const timings: TunnelTimings = { ...defaultTimings, ...parts.timings }
  const memory = new Memory(store.initial, store.write, clock, log, () => publishing.wanted())
  const history = new History({
    clock,
    lastId: store.lastSpanId,
    write: store.writeSpan,
    read: store.readSpans,
  })
  const view = (): TunnelView => ({
    ...status.view,
    setup: memory.record.setup,
    warnings: memory.record.warnings,
  })
  const publishing = throttle(clock, publishEvery, () => parts.changed(view()))
  const status = new TunnelStatus(clock, (now, before) => {
    publishing.wanted()
    if (!before) return
    const provider = (now.using ?? before.using)?.provider
    // Closing Tabscope is not a span of its own: the history ends there.
    if (isEnding) history.end()
    else if (provider !== undefined) history.enter({ ...now, provider })
    publishing.flush()
  })
  const supervisor = new TunnelSupervisor({
    ...parts,
    timings,
    status,
    nameFor: (setup) => memory.nameFor(setup),
    opened: (tunnel, { setup }) => memory.opened(tunnel, setup),
    entry: new TunnelEntry(parts.tunnelListener),
  })
  let stopNetworkMonitor: (() => void) | null = null
  let ending: Promise<void> | null = null
  let isEnding = false

  async function end(): Promise<void> {
    isEnding = true
    stopMonitor()
    await supervisor.end()
    publishing.flush()
  }

  function want(wanted: Wanted, reason: Parameters<TunnelSupervisor['want']>[1]): void {
    if (isEnding) return
    stopNetworkMonitor ??= monitorNetwork({
      clock,
      network: parts.network,
      tick: () => history.extend(),
      networkChanged: () => supervisor.recheck(why.networkChanged()),
    })
    supervisor.want(wanted, reason)
  }

  function stopMonitor(): void {
    stopNetworkMonitor?.()
    stopNetworkMonitor = null
  }

  /** Throws `bad_input`. */
  function validated(setup: TunnelSetup): { provider: TunnelProvider; setup: TunnelSetup } {
    const provider = parts.providers.find(({ id }) => id === setup.provider)
    if (!provider) throw new AppError('bad_input', why.unknown(setup.provider).reason)
    const options = provider.check(setup.options)
    return { provider, setup: { provider: setup.provider, options } }
  }

  return {
    view,
    open: async (requested, temporary, acceptServer = false) => {
      const { provider, setup } = validated(requested ?? memory.record.setup)
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
      want({ provider, setup, temporary }, why.asked(provider.label))
      return view()
    },
    close: async () => {
      memory.unwant()
      stopMonitor()
      await supervisor.unwant(why.closed())
      return view()
    },
    check: async () => {
      await supervisor.check()
      return view()
    },
    configure: async (setup) => {
      await memory.configure(validated(setup).setup)
      return view()
    },
    providers: () =>
      Promise.all(parts.providers.map((provider) => look(provider, parts.dependencies))),
    copied: async (url) => {
      memory.copied(url, status.view.url)
      return view()
    },
    dismiss: async (kind) => {
      memory.dismiss(kind)
      return view()
    },
    history: (since, limit) => history.read(since, limit),
    listenerChanged: (listener) => supervisor.listenerChanged(listener),
    resumedFromSleep: (from, to) => {
      history.sleep(from, to)
      supervisor.recheck(why.woke(to - from))
    },
    resume: () => {
      const stored = memory.record.setup
      if (!memory.wanted || supervisor.wanted) return
      try {
        const { provider, setup } = validated(stored)
        want({ provider, setup, temporary: false }, why.resumed(provider.label))
      } catch (error) {
        // The setup may have been stored by another version.
        const reason = error instanceof AppError ? error.message : String(error)
        status.enter('offline', why.badOptions(reason), { using: stored })
      }
    },
    end: () => (ending ??= end()),
  }
}

async function look(
  provider: TunnelProvider,
  dependencies: ProviderDependencies,
): Promise<TunnelProviderView> {
  const { id, label, about: description, fields, notes } = provider
  const found = await provider.look(dependencies)
  return { id, label, description, fields: [...fields], notes: [...notes], ...found }
}
