import { onTestFinished } from 'vitest'
import type { ListenerState } from '#contract/models.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { ProbeResult } from '#engine/receiving/tunnel/probe/prober.ts'
import type {
  OpenTunnel,
  OpenOptions,
  TunnelFailure,
  TunnelProvider,
  ProviderEvents,
} from '#engine/receiving/tunnel/provider.ts'
import { AppError } from '#engine/platform/errors.ts'
import { watchSleep } from '#engine/platform/sleep-watch.ts'
import type { TunnelTimings } from '#engine/receiving/tunnel/timings.ts'
import { defaultTunnel, type StoredTunnel } from '#engine/receiving/tunnel/record.ts'
import { Tunnel } from '#engine/receiving/tunnel/tunnel.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

/** A call of the provider's `open`, which the test settles. */
export interface Opening {
  readonly options: OpenOptions
  readonly events: ProviderEvents
  readonly signal: AbortSignal
  opens(tunnel?: Partial<Pick<OpenTunnel, 'url' | 'requestedName' | 'nextName'>>): void
  fails(failure: Error): void
  /** The tunnel closes by itself, or finishes closing. */
  ends(failure?: TunnelFailure | null): void
  isLive(): boolean
}

export interface Probing {
  readonly url: string
  readonly signal: AbortSignal
  answer(ok: boolean, more?: Partial<ProbeResult>): void
}

export interface ScriptedOptions {
  readonly stored?: Partial<StoredTunnel>
  readonly timings?: Partial<TunnelTimings>
  /** Whether the provider closes immediately when it is cancelled. Default: true. */
  readonly closesImmediately?: boolean
  /** Whether every tunnel opens automatically; otherwise the test opens it. */
  readonly opens?: boolean
  /** The result of every probe; null: the test settles them. */
  readonly probes?: boolean | null
  readonly random?: () => number
  readonly listening?: boolean
}

export const listening = (port = 4780): ListenerState => ({
  state: 'listening',
  port,
  origin: `http://127.0.0.1:${port}`,
  since: 0,
  failing: null,
})

/** A tunnel with a provider, a prober and a clock that the test controls. */
export function scripted(options: ScriptedOptions = {}) {
  const fake = fakeClock()
  let skew = 0
  const clock = {
    ...fake,
    now: () => fake.now() + skew + 1_000_000,
    // The timer of the sleep watch belongs to the engine, not the tunnel.
    waiting: () => fake.waiting() - 1,
  }
  const openings: Opening[] = []
  const probes: Probing[] = []
  const views: TunnelView[] = []
  const written: StoredTunnel[] = []
  const log: string[] = []
  const tunnelListenerCalls: string[] = []
  const world = {
    probes: options.probes === undefined ? true : options.probes,
    opens: options.opens ?? true,
    closesImmediately: options.closesImmediately ?? true,
    storeFails: false,
    last: 0,
    holding: 0,
    tunnelListener: 'closed' as 'open' | 'closed',
  }
  let live = 0
  const most = { live: 0 }

  const provider = (id: string, target: 'tunnel-listener' | 'listener'): TunnelProvider => ({
    id,
    label: id === 'scripted' ? 'Scripted' : 'Manual',
    about: '',
    fields: [],
    notes: [],
    target,
    parse: () => ({}),
    check: (given) => {
      if (given['bad'] !== undefined) throw new AppError('bad_input', 'That cannot be.')
      return { ...given }
    },
    publicServer: ({ shared }) => (shared === undefined ? null : `https://${shared}.test`),
    detect: async () => ({ missing: null, program: null }),
    open: (options, _world, events, signal) =>
      new Promise((resolve, reject) => {
        let isLive = true
        live += 1
        most.live = Math.max(most.live, live)
        const closed = Promise.withResolvers<TunnelFailure | null>()
        const end = (): void => {
          if (isLive) live -= 1
          isLive = false
        }
        const opening: Opening = {
          options,
          events,
          signal,
          isLive: () => isLive,
          opens: (tunnel = {}) => {
            const name =
              options.options['subdomain'] ?? options.previousName ?? `name${openings.length}`
            resolve({
              url: `https://${name}.example.test`,
              requestedName: null,
              nextName: name,
              closed: closed.promise,
              ...tunnel,
            })
          },
          fails: (failure) => {
            end()
            reject(failure)
          },
          ends: (failure = null) => {
            end()
            closed.resolve(failure)
            reject(new Error('given up'))
          },
        }
        signal.addEventListener('abort', () => {
          if (world.closesImmediately) opening.ends()
        })
        openings.push(opening)
        if (world.opens) opening.opens()
      }),
  })

  const tunnel = new Tunnel({
    providers: [provider('scripted', 'tunnel-listener'), provider('manual', 'listener')],
    dependencies: { tunnelThread: new URL('file:///none'), env: {} },
    prober: {
      probe: (url, timeoutMs, signal) =>
        new Promise((resolve) => {
          const at = clock.now()
          let isOver = false
          const answer: Probing['answer'] = (ok, more = {}) => {
            callOff()
            if (isOver) return
            isOver = true
            resolve({
              at,
              ok,
              durationMs: clock.now() - at,
              reason: ok ? null : 'No response was received.',
              code: ok ? 'probe_ok' : 'probe_failed',
              ...more,
            })
          }
          const callOff = clock.after(timeoutMs, () => answer(false))
          signal.addEventListener('abort', () => answer(false))
          probes.push({ url, signal, answer })
          if (world.probes !== null) answer(world.probes)
        }),
    },
    clock,
    log: {
      info: (line) => void log.push(line),
      warn: (line) => void log.push(line),
      error: (line) => `log-${log.push(line)}`,
    },
    random: options.random ?? (() => 1),
    tunnelListener: {
      open: async () => {
        tunnelListenerCalls.push('open')
        world.tunnelListener = 'open'
        return 9999
      },
      close: async () => {
        tunnelListenerCalls.push('close')
        world.tunnelListener = 'closed'
      },
      last: async () => world.last,
      holding: async () => world.holding,
    },
    changed: (view) => {
      views.push(view)
    },
    store: {
      initial: { ...defaultTunnel, ...options.stored },
      write: async (stored) => {
        if (world.storeFails) throw new Error('the disk is full')
        written.push(structuredClone(stored))
      },
    },
    timings: options.timings,
  })
  const sleepWatch = watchSleep(clock, (from, to) => tunnel.resumedFromSleep(from, to))
  if (options.listening ?? true) tunnel.listenerChanged(listening())
  onTestFinished(async () => {
    sleepWatch.end()
    for (const opening of openings) opening.ends()
    await tunnel.end()
  })
  return {
    tunnel,
    clock,
    world,
    openings,
    probes,
    views,
    written,
    log,
    tunnelListenerCalls,
    most,
    live: () => live,
    /** The computer sleeps: the time of day advances, but timers do not. */
    sleep: (ms: number) => void (skew += ms),
    /** The published states without consecutive duplicates. */
    states: () =>
      views
        .map(({ state, cause }) => `${state} ${cause}`)
        .filter((report, index, all) => report !== all[index - 1]),
    opening: (): Opening => {
      const last = openings.at(-1)
      if (!last) throw new Error('nothing was opened')
      return last
    },
    probing: (): Probing => {
      const last = probes.at(-1)
      if (!last) throw new Error('nothing was probed')
      return last
    },
  }
}

export const setup = { provider: 'scripted', options: {} }
/** A tunnel that leads to the main listener. */
export const byHand = { provider: 'manual', options: {} }

/** Whose opening was requested, and has begun. */
export async function opened(options: ScriptedOptions = {}, of = setup) {
  const script = scripted(options)
  await script.tunnel.open(of, false)
  await script.clock.pass(0)
  return script
}

export async function online(options: ScriptedOptions = {}, of = setup) {
  const script = await opened(options, of)
  if (options.probes === undefined && script.tunnel.view().state !== 'online') {
    throw new Error(script.tunnel.view().reason)
  }
  return script
}
