import {
  addItem,
  arrive,
  closeTab,
  openTab,
  type Party,
  placeOrder,
  removeItem,
  scan,
  subscribe,
  unsubscribe,
  verify,
} from './party.ts'
import { type Random, seeded } from './random.ts'
import { envelope, type Step } from './steps.ts'
import { categories, location, menus, type Product, products } from './bar.ts'

type Event = Parameters<typeof envelope>[1]

/** All of these events share one lane: a category update must not overtake the product update that caused it. */
const step = (type: string, event: Event): Step => ({
  type,
  lane: 'housekeeping',
  customer: null,
  payload: (now) => envelope(type, event, now),
})

const menuUpdated = (random: Random): Step =>
  step('MENU_UPDATED', { targetUuid: random.pick(menus).uuid, data: {} })

const locationUpdated = (): Step =>
  step('LOCATION_UPDATED', { targetUuid: location.uuid, data: {} })

const productUpdated = (product: Product): Step =>
  step('PRODUCT_UPDATED', { targetUuid: product.uuid, data: {} })

/** The API documentation names only one property of `cause`: `type`. */
const categoryOfProductUpdated = (product: Product): Step =>
  step('CATEGORY_UPDATED', {
    targetUuid: null,
    targetId: product.category.id,
    data: { cause: { type: 'PRODUCT_UPDATED' } },
  })

/** For a direct change, the API documentation does not say what `cause` contains; the sandbox sends an empty object. */
const categoryUpdated = (random: Random): Step =>
  step('CATEGORY_UPDATED', {
    targetUuid: null,
    targetId: random.pick(categories).id,
    data: { cause: {} },
  })

/** At the same time. Each party is a lane, so this also limits concurrent deliveries. */
const maxParties = 48
const partiesPerEvening = 60
/** Who can later unsubscribe. */
const maxSubscribers = 30

/** Drawn without replacement, so that each kind occurs regularly. */
const backgroundKinds = [
  'product',
  'product',
  'menu',
  'category',
  'location',
  'unsubscribe',
] as const

export interface EveningOptions {
  readonly seed: number
  readonly brand: string
  /** Exact number of steps; `Infinity` for an endless stream. Absent: as many as the default number of parties produces. */
  readonly count?: number
}

/**
 * The events of one evening at the bar, step by step, without times. The same options give the same steps. IDs are consistent across events. When the
 * generator ends, every tab is closed and every order is placed.
 */
export function* evening({ seed, brand, count }: EveningOptions): Generator<Step, void, void> {
  const random = seeded(seed)
  const counters = { party: 0, tab: 0, order: 0 }
  const numbers = { next: (kind: keyof typeof counters) => (counters[kind] += 1) }
  const parties: Party[] = []
  const subscribers: Party[] = []
  const queued: Step[] = []
  const deck: (typeof backgroundKinds)[number][] = []
  let remaining = count ?? Infinity

  const canArrive = () =>
    parties.length < maxParties && (count !== undefined || counters.party < partiesPerEvening)
  // To close all tabs and orders. A step that increases this number needs room for the additional steps.
  const stepsToFinish = () =>
    queued.length +
    parties.reduce((sum, { tab, order }) => sum + (tab ? 1 : 0) + (order ? 1 : 0), 0)

  const leave = (party: Party) => void parties.splice(parties.indexOf(party), 1)

  const settle = (party: Party): Step | undefined => {
    const { tab, order } = party
    if (tab && order) return placeOrder(party, tab, order)
    leave(party)
    return tab ? closeTab(party, tab) : undefined
  }

  const pay = (party: Party): Step | undefined => {
    if (!party.subscribes) return settle(party)
    party.subscribes = false
    subscribers.push(party)
    if (subscribers.length > maxSubscribers) subscribers.shift()
    return subscribe(party)
  }

  const serve = (party: Party, room: number): Step | undefined => {
    const { tab, order } = party
    const before = party.arrival.shift()
    if (before) return before === 'scan' ? scan(party, random) : verify(party, random)
    if (!tab) return room >= 2 ? openTab(party, random, numbers, brand) : settle(party)
    if (!order) {
      if (party.ordersLeft === 0) return pay(party)
      return room >= 2 ? addItem(party, tab, random, numbers) : settle(party)
    }
    const roll = random.real()
    if (roll < 0.5) return addItem(party, tab, random, numbers)
    // An empty order cannot be placed.
    if (roll < 0.62 && order.items.length > 1) return removeItem(party, tab, order, random)
    return placeOrder(party, tab, order)
  }

  const backgroundEvent = (room: number): Step => {
    if (deck.length === 0) deck.push(...backgroundKinds)
    const [kind] = deck.splice(random.between(0, deck.length - 1), 1)
    if (kind === 'product' && room >= 2) {
      const product = random.pick(products)
      queued.push(categoryOfProductUpdated(product))
      return productUpdated(product)
    }
    if (kind === 'unsubscribe' && subscribers.length > 0) {
      const party = random.pick(subscribers)
      subscribers.splice(subscribers.indexOf(party), 1)
      return unsubscribe(party)
    }
    if (kind === 'location') return locationUpdated()
    return kind === 'category' ? categoryUpdated(random) : menuUpdated(random)
  }

  while (remaining > 0) {
    const room = remaining - stepsToFinish()
    let next: Step | undefined
    if (queued.length > 0) next = queued.shift()
    else if (room <= 0) {
      const unfinished = parties.find(({ tab }) => tab !== null)
      next = unfinished && settle(unfinished)
    } else if (random.chance(0.06)) next = backgroundEvent(room)
    else {
      if (canArrive() && random.chance(0.25)) parties.push(arrive(random, numbers))
      if (parties.length > 0) next = serve(random.pick(parties), room)
      else if (!canArrive()) return
      else if (room < 2) next = backgroundEvent(room)
    }
    if (!next) continue
    remaining -= 1
    yield next
  }
}
