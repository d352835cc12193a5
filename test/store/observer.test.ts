import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  createStoreObserved,
  observeAgain,
  readObservedId,
  readTypes,
} from '#engine/health/observed.ts'
import { Observer } from '#engine/health/observer.ts'
import { salvage } from '#engine/store/salvage.ts'
import type { Store } from '#engine/store/store.ts'
import { delivery, type Overrides } from '#test/support/groups.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { indexerOf, storeItems, storeWith, type TestStore } from '#test/support/test-store.ts'
import { until } from '#test/support/until.ts'

const minuteMs = 60_000
const start = Date.parse('2026-03-14T21:00:00.000Z')

/** A scan of a QR code, some minutes after the first. `customer` as in the payload, whose documentation has none. */
function scan(minutes: number, customer: object, more: Overrides = {}): Overrides {
  const { target = '404' } = more
  const createdAt = start + minutes * minuteMs
  const time = new Date(createdAt).toISOString()
  const body = { type: 'QR_SCANNED', targetId: target, createdAt: time, data: customer }
  return { type: 'QR_SCANNED', target, createdAt, body: Buffer.from(JSON.stringify(body)), ...more }
}

/** What is counted for each delivery, with a short batch for each of them. */
function observed(...deliveries: Overrides[]): string[] {
  const store = storeWith(deliveries.map((each, index) => delivery(index + 1, each)))
  const { search, indexer } = indexerOf(store)
  indexer.step(deliveries.length, () => false)
  const counted: string[] = []
  const write = createStoreObserved(store.db, (id, metric) => counted.push(`${id} ${metric}`))
  const observer = new Observer(store.db, search)
  observer.reload()
  for (let id = 1; id <= deliveries.length; id += 1) {
    observer.step(deliveries.length, () => true)
    write(observer.take())
  }
  return counted
}

it('finds repeated deliveries, and scans that the documented throttle excludes', () => {
  const ana = { customerUuid: 'ana' }
  expect(
    observed(
      scan(0, ana),
      scan(0, ana),
      scan(4, ana),
      // 5 minutes after the one before.
      scan(9, ana),
      scan(10, { customerUuid: 'bo' }),
      scan(10, ana, { target: '405' }),
      scan(11, { guestId: 7 }),
      // Created before the one that arrived before it.
      scan(8, { guestId: 7 }),
      scan(1, { guestId: 7 }),
      scan(20, {}),
      scan(20, {}, { receivedUs: 0 }),
      scan(21, {}),
      scan(22, ana),
      // That mentions the target of the next one.
      scan(30, { customerUuid: 'dee', menuId: '406' }),
      scan(31, { customerUuid: 'dee' }, { target: '406' }),
      scan(23, ana, { sentBy: 'send' }),
      scan(23, ana, { arrival: 'cut_off' }),
    ),
  ).toEqual(['2 duplicate', '3 throttled', '8 throttled', '11 duplicate'])
})

const nothing = { duplicates: [], throttled: [], types: [], notices: [] }

it('stores each result once, in order', () => {
  const store = storeWith([delivery(1), delivery(2)])
  const counted: number[] = []
  const write = createStoreObserved(store.db, (id) => counted.push(id))
  const result = { ...nothing, from: 0, upTo: 2, duplicates: [2] }
  expect(write(result)).toBe(true)
  expect(write(result)).toBe(false)
  expect(write({ ...result, from: 3, upTo: 4 })).toBe(false)
  expect([counted, readObservedId(store.db)]).toEqual([[2], 2])
  observeAgain(store.db)
  expect(write(result)).toBe(true)
})

it('continues in a store that was salvaged', () => {
  const damaged = storeWith([delivery(1), delivery(2)])
  const types = [{ type: 'OPEN_TAB', fields: '[]' }]
  createStoreObserved(damaged.db, () => undefined)({ ...nothing, from: 0, upTo: 1, types })
  const { db } = storeWith()
  salvage(damaged.path, db, () => Buffer.alloc(0))
  expect([readObservedId(db), readTypes(db)]).toEqual([1, [['OPEN_TAB', new Map()]]])
})

const order = (id: number): Overrides => {
  const data = id > 30 ? { total: `${id}`, tipAmount: 2 } : { total: id }
  const body = { type: 'ORDER_PLACED', targetUuid: 'o', createdAt: `${id}`, data }
  return { type: 'ORDER_PLACED', target: 'o', body: Buffer.from(JSON.stringify(body)) }
}

const orders = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => delivery(from + index, order(from + index)))

function closed(store: TestStore): string {
  store.db.close()
  return store.folder
}

async function fieldsUpTo(store: Store, id: number) {
  return until(`the fields up to ${id}`, async () => {
    const found = await store.reader.call('payloadFields')
    return found.observedId >= id && found
  })
}

it('continues after a restart and a new index, counts again to the same, and outlives deliveries', async () => {
  const made = storeWith(orders(1, 25))
  const first = await openTestStore(closed(made))
  await fieldsUpTo(first.store, 25)
  await first.close()
  rmSync(path.join(made.folder, 'search.db'))
  const more = storeWith([], made.folder)
  storeItems(more.db, [...orders(26, 40)])
  const { store, close } = await openTestStore(closed(more))
  const found = await fieldsUpTo(store, 40)
  expect(found.notices.map(({ path: at, change, kind, id }) => [at, change, kind, id])).toEqual([
    ['data.total', 'type', 'string', 31],
    ['data.tipAmount', 'appeared', null, 31],
  ])
  const total = found.types[0]?.fields.find(({ path: at }) => at === 'data.total')
  expect(total).toMatchObject({
    documented: { type: 'number', optional: false },
    payloads: 40,
    kinds: { number: 30, string: 10 },
    firstId: 1,
    lastId: 40,
  })
  await store.writer.call('dismissNotices')
  const dismissed = { ...found, notices: [] }
  await store.writer.call('countAgain', true)
  expect(await fieldsUpTo(store, 40)).toEqual(dismissed)
  await store.writer.call('clear')
  expect(await store.reader.call('payloadFields')).toEqual(dismissed)
  await close()
})
