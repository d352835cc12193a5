import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { NewDelivery } from '#engine/deliveries/groups.ts'
import { Observer } from '#engine/deliveries/health/observer.ts'
import {
  createStoreObserved,
  readObservedId,
  readTypes,
} from '#engine/deliveries/health/observed.ts'
import { salvage } from '#engine/deliveries/salvage.ts'
import type { Store } from '#engine/app/threads/store.ts'
import { delivery, type Overrides } from '#test/support/groups.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { storeItems, storeWith, type TestStore } from '#test/support/test-store.ts'
import { until } from '#test/support/until.ts'

const nothing = { types: [], notices: [] }

it('stores each result once, in order', () => {
  const store = storeWith([delivery(1), delivery(2)])
  const write = createStoreObserved(store.db)
  const result = { ...nothing, from: 0, upTo: 2 }
  expect(write(result)).toBe(true)
  expect(write(result)).toBe(false)
  expect(write({ ...result, from: 3, upTo: 4 })).toBe(false)
  expect(readObservedId(store.db)).toBe(2)
})

it('continues in a store that was salvaged', () => {
  const damaged = storeWith([delivery(1), delivery(2)])
  const types = [{ type: 'OPEN_TAB', fields: '[]' }]
  createStoreObserved(damaged.db)({ ...nothing, from: 0, upTo: 1, types })
  const { db } = storeWith()
  salvage(damaged.path, db, () => Buffer.alloc(0))
  expect([readObservedId(db), readTypes(db)]).toEqual([1, [['OPEN_TAB', new Map()]]])
})

function observe(...overrides: Overrides[]): string[] {
  const { db } = storeWith(overrides.map((each, index) => delivery(index + 1, each)))
  const observer = new Observer(db)
  observer.reload()
  observer.step(overrides.length, () => false)
  expect(observer.observedId).toBe(overrides.length)
  return observer.take().types.map(({ type }) => type)
}

it('learns types and fields only from deliveries that somebody trusts', () => {
  const body = Buffer.from('{"type":"TABLE_MOVED","data":{"forged":1}}')
  const sent = (verdict: NewDelivery['verdict'], overrides: Overrides = {}): Overrides => ({
    verdict,
    type: 'TABLE_MOVED',
    body,
    ...overrides,
  })
  expect(observe(sent('unsigned', { endpointId: null }), sent('invalid'), sent('missing'))).toEqual(
    [],
  )
  expect(observe(sent('valid'))).toEqual(['TABLE_MOVED'])
  expect(observe(sent('unsigned'))).toEqual(['TABLE_MOVED'])
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

it('continues after a restart and a new index, and outlives deliveries', async () => {
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
  await store.writer.call('clear')
  expect(await store.reader.call('payloadFields')).toEqual({ ...found, notices: [] })
  await close()
})
