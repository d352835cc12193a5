import { vi } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { calls } from '#contract/calls.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { verdicts } from '#contract/models.ts'
import { matches } from '#renderer/features/deliveries/filter.ts'
import type { useDeliveries } from '#renderer/features/deliveries/store.ts'
import type { useShell } from '#renderer/features/shell/store.ts'
import type { Client } from '#renderer/platform/client.ts'
import { FakeHost, summary } from './fake-host.ts'

/** More calls than any test needs: beyond them no answer comes, or a feed gone wild would never end. */
const callsMost = 60

interface StartedFeed {
  readonly host: FakeHost
  readonly useDeliveries: typeof useDeliveries
  readonly useShell: typeof useShell
  /** How many calls the feed has made. */
  asked(): number
  /** Deliveries that come, the last `pushed` of which are told. */
  arrive(count: number, changes?: Partial<DeliverySummary>, pushed?: number): void
  clear(): void
  /** Keeps only the newest. */
  retain(count: number): void
  /** From here on answers are made when they are asked for, and wait. */
  hold(): void
  release(): Promise<void>
  /** Ids of the first rows of the list. */
  top(count: number): (number | null)[]
  frame(): Promise<unknown>
  pass(ms: number): Promise<unknown>
}

/** A feed over a host that keeps deliveries; with fake timers, and with a store of its own. */
export async function startedFeed(kept: number): Promise<StartedFeed> {
  vi.resetModules()
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('requestAnimationFrame', (apply: () => void) => setTimeout(apply, 16))
  const { useDeliveries } = await import('#renderer/features/deliveries/store.ts')
  const { useShell } = await import('#renderer/features/shell/store.ts')
  // As fresh as the rest: the feed knows errors by their class.
  const { createClient } = await import('#renderer/platform/client.ts')
  const { startFeed } = await import('#renderer/features/deliveries/feed.ts')

  const host = new FakeHost()
  let held: (() => void)[] | null = null
  let deliveries: DeliverySummary[] = []
  let newestId = 0
  let asked = 0

  host.answer = ({ id, name, input }) => {
    if (name !== 'deliveries.page') return {}
    const { filter, upTo, offset, limit } = calls[name].input.parse(input)
    const found = deliveries.filter(
      (row) => row.id <= (upTo ?? newestId) && matches(chosen(filter), row),
    )
    const rows = found.toReversed().slice(offset, offset + limit)
    const output = {
      rows,
      upTo: upTo ?? newestId,
      asOf: 0,
      total: found.length,
      complete: true,
      searched: 1,
    }
    if (!held) return output
    held.push(() => host.reply(id, output))
    return undefined
  }

  const inner = createClient(host.transport, () => 0)
  const client: Client = {
    ...inner,
    call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
      asked += 1
      return asked > callsMost ? new Promise(() => {}) : inner.call(name, input)
    },
  }

  const stats = () => ({
    deliveries: deliveries.length,
    bytes: 0,
    newestId,
    behind: 0,
    indexedId: 0,
  })
  function keep(count: number, changes: Partial<DeliverySummary> = {}): DeliverySummary[] {
    const fresh = Array.from({ length: count }, () => summary(++newestId, changes))
    deliveries.push(...fresh)
    return fresh
  }

  keep(kept)
  startFeed(client)
  host.open()
  host.welcome()
  await vi.advanceTimersByTimeAsync(300)

  return {
    host,
    useDeliveries,
    useShell,
    asked: () => asked,
    arrive(count, changes = {}, pushed = count) {
      const rows = keep(count, changes).slice(count - pushed)
      host.push('deliveries.arrived', { rows, stats: stats() })
    },
    clear() {
      deliveries = []
      host.push('deliveries.removed', { reason: 'cleared', stats: stats() })
    },
    retain(count) {
      deliveries = deliveries.slice(-count)
      host.push('deliveries.removed', { reason: 'retention', stats: stats() })
    },
    hold() {
      held = []
    },
    async release() {
      const waiting = held ?? []
      held = null
      for (const send of waiting) send()
      await vi.advanceTimersByTimeAsync(0)
    },
    top(count) {
      const { rows } = useDeliveries.getState()
      return Array.from({ length: count }, (_, index) => rows.idAt(index))
    },
    frame: () => vi.advanceTimersByTimeAsync(20),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

/** The choice of types and verdicts that a filter's text makes. */
function chosen(filter: string): Parameters<typeof matches>[0] {
  const values = (field: string): string[] =>
    new RegExp(`${field}:(\\S+)`).exec(filter)?.[1]?.split(',') ?? []
  return {
    types: values('type'),
    verdicts: verdicts.filter((verdict) => values('verdict').includes(verdict)),
  }
}
