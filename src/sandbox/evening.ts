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

/** One lane for all of it: a category's update must not overtake the product's that caused it. */
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

/** The category of a product that changed. The document names no property of `cause` but `type`. */
const categoryOfProductUpdated = (product: Product): Step =>
  step('CATEGORY_UPDATED', {
    targetUuid: null,
    targetId: product.category.id,
    data: { cause: { type: 'PRODUCT_UPDATED' } },
  })

/** A category that changed of itself. The document does not say what its cause then holds: here nothing. */
const categoryUpdated = (random: Random): Step =>
  step('CATEGORY_UPDATED', {
    targetUuid: null,
    targetId: random.pick(categories).id,
    data: { cause: {} },
  })

const someProduct = (random: Random): Product => random.pick(products)

/** Parties at a time: as many deliveries can be under way at once, since each party is a lane. */
const house = 48
/** Parties of an evening without a count. */
const guestsOfAnEvening = 60
/** Subscribers remembered, of whom one may unsubscribe. */
const remembered = 30

/** Drawn like cards, so that none is missing from an evening for long. */
const chores = ['product', 'product', 'menu', 'category', 'location', 'unsubscribe'] as const

export interface EveningOptions {
  readonly seed: number
  readonly brand: string
  /** So many steps exactly, `Infinity` for a bar that never closes. Absent: as many as the guests of one evening make. */
  readonly count?: number
}

/**
 * "An evening" at the bar: what a scenario sends, step by step, without times. The same options give the same steps.
 * Ids hang together, and when it ends every tab is closed and every order placed.
 */
export function* evening({ seed, brand, count }: EveningOptions): Generator<Step, void, void> {
  const random = seeded(seed)
  const given = { party: 0, tab: 0, order: 0 }
  const numbers = { next: (kind: keyof typeof given) => (given[kind] += 1) }
  const parties: Party[] = []
  const subscribers: Party[] = []
  const following: Step[] = []
  const deck: (typeof chores)[number][] = []
  let left = count ?? Infinity

  const doorsOpen = () =>
    parties.length < house && (count !== undefined || given.party < guestsOfAnEvening)
  // What must still be sent so that the evening ends in order; a step that adds to it must leave room for it.
  const owed = () =>
    following.length +
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
    if (subscribers.length > remembered) subscribers.shift()
    return subscribe(party)
  }

  const serve = (party: Party, room: number): Step | undefined => {
    const { tab, order } = party
    const before = party.arrival.shift()
    if (before) return before === 'scan' ? scan(party, random) : verify(party, random)
    if (!tab) return room >= 2 ? openTab(party, random, numbers, brand) : settle(party)
    if (!order) {
      if (party.ordersToCome === 0) return pay(party)
      return room >= 2 ? addItem(party, tab, random, numbers) : settle(party)
    }
    const mood = random.real()
    if (mood < 0.5) return addItem(party, tab, random, numbers)
    // An order is never emptied: nobody could place it.
    if (mood < 0.62 && order.items.length > 1) return removeItem(party, tab, order, random)
    return placeOrder(party, tab, order)
  }

  const keepHouse = (room: number): Step => {
    if (deck.length === 0) deck.push(...chores)
    const [chore] = deck.splice(random.between(0, deck.length - 1), 1)
    if (chore === 'product' && room >= 2) {
      const product = someProduct(random)
      following.push(categoryOfProductUpdated(product))
      return productUpdated(product)
    }
    if (chore === 'unsubscribe' && subscribers.length > 0) {
      const party = random.pick(subscribers)
      subscribers.splice(subscribers.indexOf(party), 1)
      return unsubscribe(party)
    }
    if (chore === 'location') return locationUpdated()
    return chore === 'category' ? categoryUpdated(random) : menuUpdated(random)
  }

  while (left > 0) {
    const room = left - owed()
    let next: Step | undefined
    if (following.length > 0) next = following.shift()
    else if (room <= 0) {
      const owing = parties.find(({ tab }) => tab !== null)
      next = owing && settle(owing)
    } else if (random.chance(0.06)) next = keepHouse(room)
    else {
      if (doorsOpen() && random.chance(0.25)) parties.push(arrive(random, numbers))
      if (parties.length > 0) next = serve(random.pick(parties), room)
      else if (!doorsOpen()) return
      else if (room < 2) next = keepHouse(room)
    }
    if (!next) continue
    left -= 1
    yield next
  }
}
