import { beforeAll, describe, expect, it } from 'vitest'
import type { Trace } from '#contract/deliveries.ts'
import { traffic } from '#sandbox/traffic.ts'
import { field } from '#catalogue/payload.ts'
import { sharedTestEngine, type DeliveryWithBody, type TestEngine } from '#test/support/engine.ts'
import { sign } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const shared = sharedTestEngine()

async function deliver({ port, path }: TestEngine, payload: unknown): Promise<void> {
  const body = JSON.stringify(payload)
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Service-Signature': sign(body) },
    body,
  })
  expect(response.status).toBe(200)
}

/** Waits for the deliveries, and until all of them are indexed. The statistics may be older than the store. */
async function indexed(tab: TestEngine, count: number): Promise<DeliveryWithBody[]> {
  const kept = await tab.kept(count)
  const newest = Math.max(...kept.map(({ id }) => id))
  await until('the search index to be level', async () => {
    const { stats } = await tab.engine.call('app.snapshot', {})
    return stats.indexedId >= newest
  })
  return kept
}

const payloadOf = ({ body }: DeliveryWithBody): unknown => JSON.parse(body.toString('utf8'))
const tabOf = (payload: unknown): unknown =>
  ['OPEN_TAB', 'CLOSE_TAB'].includes(String(field(payload, 'type')))
    ? field(payload, 'targetUuid')
    : field(field(payload, 'data'), 'tabUuid')

describe('simulated traffic, delivered', () => {
  let kept: DeliveryWithBody[] = []
  const start = Date.parse('2026-03-14T20:00:00.000Z')

  beforeAll(async () => {
    const tab = shared()
    let at = start
    for (const step of traffic({ seed: 9, brand: 'Service', count: 240 })) {
      at += 1500
      await deliver(tab, step.payload(new Date(at)))
    }
    kept = await indexed(tab, 240)
  })

  it('traces each tab from any of its deliveries', async () => {
    const { engine } = shared()
    const tabs = kept.filter(({ type }) => type === 'OPEN_TAB')
    expect(tabs.length).toBeGreaterThan(5)
    for (const opening of tabs) {
      const tab = opening.target
      const own = kept.filter((delivery) => tabOf(payloadOf(delivery)) === tab)
      const traces: Trace[] = []
      for (const { id } of [opening, ...own.slice(-2)]) {
        traces.push(await engine.call('deliveries.trace', { id }))
      }
      const [trace] = traces
      expect(trace?.subject).toMatchObject({ kind: 'tab', id: tab })
      const tied = trace?.entries.filter(({ relation }) => relation === 'linked') ?? []
      expect(tied.map(({ delivery }) => delivery.id)).toEqual(own.map(({ id }) => id))
      expect(traces.slice(1)).toEqual(traces.slice(1).map(() => trace))
      // In this simulation, orders and items are equal once all orders are placed and the tab is closed.
      const codes = tied.flatMap(({ observations }) => observations.map(({ code }) => code))
      // A guest may stay for a while.
      expect(codes.filter((code) => code !== 'gap')).toEqual([])
      const last = tied.at(-1)
      expect(last?.delivery.type).toBe('CLOSE_TAB')
      expect(last?.totals.items).toBe(last?.totals.orders)
      expect(trace?.indexedId).toBe(kept.at(-1)?.id)
    }
  })

  it('throws not_found for a missing delivery', async () => {
    const { engine } = shared()
    for (const name of ['deliveries.trace', 'deliveries.related'] as const) {
      await expect(engine.call(name, { id: 99_999 })).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})
