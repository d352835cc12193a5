import { onTestFinished, vi } from 'vitest'
import { calls, type CallName, type CallOutput } from '#contract/calls.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { Client, ClientInput } from '#client/client.ts'
import { FakeHost } from './fake-host.ts'
import { summary } from '#test/support/sample-summary.ts'

/** A limit of calls beyond any test's needs. Further calls get no response, so that an endless loop stops. */
const callsMost = 60

/** A feed with a fake host that stores deliveries, with its own store, and with fake timers until the end of the test. */
export async function startedFeed(kept: number) {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  vi.resetModules()
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('requestAnimationFrame', (apply: () => void) => setTimeout(apply, 16))
  const { useDeliveries, setFilterText } = await import('#client/state/deliveries.ts')
  const { useShell } = await import('#client/state/app.ts')
  // Imported together with the feed, which recognizes errors by their class.
  const { createClient } = await import('#client/client.ts')
  const { startFeed } = await import('#pages/deliveries/feed.ts')

  const host = new FakeHost()
  let visible = true
  const onVisible: (() => void)[] = []
  let held: (() => void)[] | null = null
  let deliveries: DeliverySummary[] = []
  let newestId = 0
  let requestCount = 0

  /** Limits the deliveries searched per call, for newer ones to `reach`. Every filter needs the index, which has reached this ID. */
  const engine = { step: Infinity, reach: Infinity, indexed: Infinity }
  /** How many deliveries each search has covered, from the newest. */
  const looked = new Map<string, number>()

  function pageOf(input: unknown): CallOutput<'deliveries.page'> {
    const { filter, offset, limit, ...pinned } = calls['deliveries.page'].input.parse(input)
    const upTo = pinned.upTo ?? (filter === '' ? newestId : Math.min(engine.indexed, newestId))
    const there = deliveries.filter((row) => row.id <= upTo).toReversed()
    const key = JSON.stringify([filter, upTo])
    const done = filter === '' ? there.length : (looked.get(key) ?? 0) + engine.step
    looked.set(key, done)
    const found = there.slice(0, done).filter((row) => matches(filter, row))
    return {
      rows: found.slice(offset, offset + limit),
      upTo,
      asOf: pinned.asOf ?? 1,
      total: found.length,
      complete: done >= there.length,
      searched: Math.min(1, done / Math.max(1, there.length)),
    }
  }

  function newerOf(input: unknown): CallOutput<'deliveries.newer'> {
    const { filter, after, limit } = calls['deliveries.newer'].input.parse(input)
    const end = Math.min(engine.indexed, newestId, after + engine.reach)
    const rows = deliveries
      .filter((row) => row.id > after && row.id <= end && matches(filter, row))
      .slice(0, limit)
    return { rows, upTo: rows.length === limit ? (rows.at(-1)?.id ?? end) : Math.max(after, end) }
  }

  host.answer = ({ id, name, input }) => {
    const make = name === 'deliveries.page' ? pageOf : name === 'deliveries.newer' ? newerOf : null
    if (!make) return {}
    const output = make(input)
    if (!held) return output
    held.push(() => host.reply(id, output))
    return undefined
  }

  const inner = createClient(host.transport, () => 0)
  const client: Client = {
    ...inner,
    call<N extends CallName>(name: N, input: ClientInput<N>): Promise<CallOutput<N>> {
      requestCount += 1
      return requestCount > callsMost ? new Promise(() => {}) : inner.call(name, input)
    },
  }

  const stats = () => ({
    deliveries: deliveries.length,
    bytes: 0,
    newestId,
    indexedId: Math.min(engine.indexed, newestId),
  })
  function keep(count: number, changes: Partial<DeliverySummary> = {}): DeliverySummary[] {
    const fresh = Array.from({ length: count }, () => summary(++newestId, changes))
    deliveries.push(...fresh)
    return fresh
  }

  keep(kept)
  startFeed(client, { visible: () => visible, onChange: (listener) => onVisible.push(listener) })
  host.open()
  host.welcome()
  await vi.advanceTimersByTimeAsync(300)

  return {
    host,
    useDeliveries,
    shownStats: () => useShell.getState().stats,
    onShownStats: (run: () => void) =>
      useShell.subscribe(({ stats: shown }, before) => void (shown !== before.stats && run())),
    goTo: (tab: '#/deliveries' | '#/settings') => useShell.setState({ tab }),
    requestCount: () => requestCount,
    calls: (name: CallName) => host.calls.filter((call) => call.name === name).length,
    engine,
    /** Sets a filter like the field and the address do. */
    filter: setFilterText,
    async see(now: boolean) {
      visible = now
      for (const listener of onVisible) listener()
      await vi.advanceTimersByTimeAsync(0)
    },
    /** Receives deliveries, of which only the last `pushed` are pushed. */
    arrive(count: number, changes: Partial<DeliverySummary> = {}, pushed = count) {
      const rows = keep(count, changes).slice(count - pushed)
      host.push('deliveries.arrived', { rows, stats: stats() })
    },
    /** Sets the last indexed ID. */
    async index(upTo: number) {
      engine.indexed = upTo
      host.push('deliveries.indexed', { stats: stats() })
      await vi.advanceTimersByTimeAsync(0)
    },
    change(id: number, changes: Partial<DeliverySummary>) {
      deliveries = deliveries.map((row) => (row.id === id ? { ...row, ...changes } : row))
      host.push('deliveries.changed', { rows: deliveries.filter((row) => row.id === id) })
    },
    clear() {
      deliveries = []
      host.push('deliveries.removed', { reason: 'cleared', stats: stats() })
    },
    retain(count: number) {
      deliveries = deliveries.slice(-count)
      host.push('deliveries.removed', { reason: 'retention', stats: stats() })
    },
    /** From now on, responses are computed at the request but held back. */
    hold() {
      held = []
    },
    async release(order?: 'backwards') {
      const waiting = order === 'backwards' ? (held ?? []).toReversed() : (held ?? [])
      held = null
      for (const send of waiting) send()
      await vi.advanceTimersByTimeAsync(0)
    },
    /** Sends the held responses, but not those to requests that they cause. */
    async answer() {
      const waiting = held ?? []
      held = []
      for (const send of waiting) send()
      await vi.advanceTimersByTimeAsync(0)
    },
    /** The IDs of the first rows of the list. */
    top(count: number) {
      const { rows } = useDeliveries.getState()
      return Array.from({ length: count }, (_, index) => rows.idAt(index))
    },
    frame: () => vi.advanceTimersByTimeAsync(20),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

function fits(wanted: readonly string[], value: string): boolean {
  return wanted.length === 0 || wanted.includes(value)
}

/** The part of the filter language that these tests use: `type:A,B verdict:x is:pinned`. */
function matches(filter: string, row: DeliverySummary): boolean {
  const values = (field: string): string[] =>
    new RegExp(`${field}:(\\S+)`).exec(filter)?.[1]?.split(',') ?? []
  return (
    fits(values('type'), row.type ?? 'none') &&
    fits(values('verdict'), row.verdict) &&
    fits(values('is'), row.pinned ? 'pinned' : '')
  )
}
