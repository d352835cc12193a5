import { describe, expect, it } from 'vitest'

import { field } from '#catalogue/payload.ts'
import { products, spots } from '#sandbox/bar.ts'
import { traffic } from '#sandbox/traffic.ts'

const seeds = [0, 1, 2, 7, 42, 1234, 2 ** 32 - 1, 2 ** 40 + 3]
const brand = 'Acme'
const start = Date.parse('2026-03-14T18:00:00.000Z')

/** Simulated traffic with one delivery each `apart` milliseconds. */
function play(seed: number, { count, apart = 40 }: { count?: number; apart?: number } = {}) {
  const steps = [...traffic({ seed, brand, ...(count === undefined ? {} : { count }) })]
  return steps.map((step, index) => ({
    step,
    payload: step.payload(new Date(start + index * apart)),
  }))
}

const withoutTimes = (seed: number, apart: number) =>
  play(seed, { apart }).map(({ step, payload }) => {
    const { createdAt: _createdAt, data, ...rest } = payload
    return [step.lane, { ...rest, data: { ...Object(data), created: null } }]
  })

const number = (value: unknown) => {
  if (typeof value !== 'number') throw new TypeError(`${String(value)} is no number`)
  return value
}
const cents = (value: unknown) => Math.round(number(value) * 100)

describe.each(seeds)('simulated traffic with seed %i', (seed) => {
  const sent = play(seed)

  it('has consistent tabs, items and orders, and closes all of them', () => {
    const tabs = new Map<
      unknown,
      Map<unknown, { cents: number; orderId: unknown; name: unknown }>
    >()
    const seen = new Set<unknown>()
    const orderIds = new Set<unknown>()
    for (const { payload } of sent) {
      const { type, targetUuid, data } = payload
      const items = tabs.get(field(data, 'tabUuid'))
      if (type === 'OPEN_TAB' || type === 'ITEM_ADDED' || type === 'ORDER_PLACED') {
        expect(seen.has(targetUuid), `${type} twice`).toBe(false)
        seen.add(targetUuid)
      }
      if (type === 'OPEN_TAB') tabs.set(targetUuid, new Map())
      if (type === 'ITEM_ADDED') {
        const orderId = field(data, 'orderId')
        expect(items, 'item on an open tab').toBeDefined()
        for (const item of items?.values() ?? []) expect(item.orderId).toBe(orderId)
        if (items?.size === 0) expect(orderIds.has(orderId)).toBe(false)
        orderIds.add(orderId)
        items?.set(targetUuid, {
          cents: cents(field(data, 'price')) * number(field(data, 'quantity')),
          orderId,
          name: field(data, 'name'),
        })
        expect(products.map(({ id }) => id)).toContain(field(data, 'productId'))
      }
      if (type === 'ITEM_REMOVED') {
        const item = items?.get(targetUuid)
        expect(item?.orderId, 'was added before').toBe(field(data, 'orderId'))
        expect(item?.name).toBe(field(data, 'name'))
        items?.delete(targetUuid)
      }
      if (type === 'ORDER_PLACED') {
        const left = [...(items?.values() ?? [])]
        expect(left.length).toBeGreaterThan(0)
        expect(cents(field(data, 'total'))).toBe(left.reduce((sum, item) => sum + item.cents, 0))
        expect(field(data, 'itemNames')).toEqual(left.map(({ name }) => name))
        expect(field(data, 'created')).toBe(payload.createdAt)
        items?.clear()
      }
      if (type === 'CLOSE_TAB') {
        expect(tabs.get(targetUuid)?.size, 'open, and nothing left to order').toBe(0)
        tabs.delete(targetUuid)
      }
    }
    expect(tabs.size).toBe(0)
  })

  it('sends a category update directly after its product update', () => {
    let products = 0
    let followed = 0
    for (const [index, { payload }] of sent.entries()) {
      if (payload.type === 'PRODUCT_UPDATED') products += 1
      if (field(field(payload.data, 'cause'), 'type') !== 'PRODUCT_UPDATED') continue
      followed += 1
      expect(payload.targetUuid).toBeNull()
      const cause = sent[index - 1]
      expect(cause?.payload.type).toBe('PRODUCT_UPDATED')
      expect(cause?.step.lane).toBe(sent[index]?.step.lane)
      const product = productOf(cause?.payload.targetUuid)
      expect(payload.targetId).toBe(product?.category.id)
    }
    expect(products).toBeGreaterThan(0)
    expect(followed).toBe(products)
  })

  it('unsubscribes only subscribers, with the same handle', () => {
    const handles = new Map<unknown, unknown>()
    for (const { payload } of sent) {
      const handle = field(payload.data, 'handle')
      if (payload.type === 'GUEST_SUBSCRIBED') handles.set(payload.targetUuid, handle)
      if (payload.type !== 'GUEST_UNSUBSCRIBED') continue
      expect(handles.get(payload.targetUuid)).toBe(handle)
      handles.delete(payload.targetUuid)
    }
  })

  it.each([1, 1000, 60_000])('respects the throttle of QR codes, %i ms apart', (apart) => {
    const last = new Map<string, number>()
    for (const { step, payload } of play(seed, { apart })) {
      if (payload.type !== 'QR_SCANNED') continue
      expect(spots.find(({ id }) => id === payload.targetId)?.name).toBe(
        field(payload.data, 'targetName'),
      )
      expect(step.customer).not.toBeNull()
      const key = `${step.customer} ${String(payload.targetId)}`
      const at = Date.parse(String(payload.createdAt))
      expect(at - (last.get(key) ?? -Infinity)).toBeGreaterThanOrEqual(5 * 60_000)
      last.set(key, at)
    }
  })

  it('is reproducible except for times, at any rate', () => {
    expect(withoutTimes(seed, 1)).toEqual(withoutTimes(seed, 60_000))
  })
})

const productOf = (uuid: unknown) => products.find((product) => product.uuid === uuid)

it('differs by seed', () => {
  expect(withoutTimes(1, 1)).not.toEqual(withoutTimes(2, 1))
})

it.each([0, 1, 2, 3, 10, 101, 5000])(
  'sends %i steps when so many are asked for, and closes',
  (count) => {
    for (const seed of seeds) {
      const sent = play(seed, { count })
      expect(sent).toHaveLength(count)
      const ofType = (type: string) => sent.filter(({ payload }) => payload.type === type).length
      expect(ofType('OPEN_TAB')).toBe(ofType('CLOSE_TAB'))
      const afterLast = new Map<string, string>()
      for (const { step } of sent)
        if (/^(ITEM_ADDED|ORDER_PLACED)$/.test(step.type)) afterLast.set(step.lane, step.type)
      expect([...afterLast.values()]).not.toContain('ITEM_ADDED')
    }
  },
)

it('is endless without a count, with constant memory', () => {
  let seen = 0
  const lanes = new Map<string, number>()
  for (const step of traffic({ seed: 5, brand, count: Infinity })) {
    if (step.type === 'OPEN_TAB') lanes.set(step.lane, seen)
    if (step.type === 'CLOSE_TAB') lanes.delete(step.lane)
    expect(lanes.size).toBeLessThan(50)
    if ((seen += 1) === 20_000) break
  }
  expect(seen).toBe(20_000)
})
