import {
  addItem,
  arrive,
  closeTab,
  openTab,
  type GuestGroup,
  type Numbers,
  placeOrder,
  removeItem,
  scan,
  subscribe,
  unsubscribe,
  verify,
} from './guest-group.ts'
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

/** At the same time. Each guest group is a lane, so this also limits concurrent deliveries. */
const maxGuestGroups = 48
const defaultGuestGroups = 60
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

export interface TrafficOptions {
  readonly seed: number
  readonly brand: string
  /** Exact number of steps; `Infinity` for an endless stream. Absent: as many as the default number of guest groups produces. */
  readonly count?: number
}

/**
 * The events at the bar, step by step, without times. The same options give the same steps. IDs are consistent across events. When the generator
 * ends, every tab is closed and every order is placed.
 */
export function* traffic(options: TrafficOptions): Generator<Step, void, void> {
  const bar = new SimulatedBar(options)
  let remaining = options.count ?? Infinity
  while (remaining > 0 && !bar.isClosed()) {
    const next = bar.next(remaining)
    if (!next) continue
    remaining -= 1
    yield next
  }
}

class SimulatedBar {
  readonly #random: Random
  readonly #brand: string
  readonly #isLimited: boolean
  readonly #counters = { guestGroup: 0, tab: 0, order: 0 }
  readonly #numbers: Numbers = { next: (kind) => (this.#counters[kind] += 1) }
  readonly #guestGroups: GuestGroup[] = []
  readonly #subscribers: GuestGroup[] = []
  readonly #queued: Step[] = []
  readonly #deck: (typeof backgroundKinds)[number][] = []

  constructor({ seed, brand, count }: TrafficOptions) {
    this.#random = seeded(seed)
    this.#brand = brand
    this.#isLimited = count === undefined
  }

  /** Whether all guest groups have come and left. */
  isClosed(): boolean {
    return this.#guestGroups.length === 0 && this.#queued.length === 0 && !this.#canArrive()
  }

  /** Returns the next step; undefined if nothing happens this time. `remaining`: the number of steps, in which all tabs have to be closed. */
  next(remaining: number): Step | undefined {
    if (this.#queued.length > 0) return this.#queued.shift()
    const room = remaining - this.#stepsToFinish()
    if (room <= 0) {
      const unfinished = this.#guestGroups.find(({ tab }) => tab !== null)
      return unfinished && this.#settle(unfinished)
    }
    if (this.#random.chance(0.06)) return this.#backgroundEvent(room)
    if (this.#canArrive() && this.#random.chance(0.25))
      this.#guestGroups.push(arrive(this.#random, this.#numbers))
    if (this.#guestGroups.length > 0) return this.#serve(this.#random.pick(this.#guestGroups), room)
    return room < 2 ? this.#backgroundEvent(room) : undefined
  }

  #canArrive(): boolean {
    if (this.#guestGroups.length >= maxGuestGroups) return false
    return !this.#isLimited || this.#counters.guestGroup < defaultGuestGroups
  }

  /** To close all tabs and orders. A step that increases this number needs room for the additional steps. */
  #stepsToFinish(): number {
    return (
      this.#queued.length +
      this.#guestGroups.reduce((sum, { tab, order }) => sum + (tab ? 1 : 0) + (order ? 1 : 0), 0)
    )
  }

  #serve(guestGroup: GuestGroup, room: number): Step | undefined {
    const { tab, order } = guestGroup
    const random = this.#random
    const before = guestGroup.arrival.shift()
    if (before) return before === 'scan' ? scan(guestGroup, random) : verify(guestGroup, random)
    if (!tab) {
      if (room < 2) return this.#settle(guestGroup)
      return openTab(guestGroup, random, this.#numbers, this.#brand)
    }
    if (!order) {
      if (guestGroup.ordersLeft === 0) return this.#pay(guestGroup)
      return room >= 2 ? addItem(guestGroup, tab, random, this.#numbers) : this.#settle(guestGroup)
    }
    const roll = random.real()
    if (roll < 0.5) return addItem(guestGroup, tab, random, this.#numbers)
    if (roll < 0.62 && order.items.length > 1) return removeItem(guestGroup, tab, order, random)
    return placeOrder(guestGroup, tab, order)
  }

  #pay(guestGroup: GuestGroup): Step | undefined {
    if (!guestGroup.subscribes) return this.#settle(guestGroup)
    guestGroup.subscribes = false
    this.#subscribers.push(guestGroup)
    if (this.#subscribers.length > maxSubscribers) this.#subscribers.shift()
    return subscribe(guestGroup)
  }

  /** Places the open order, or closes the tab. A guest group without an order leaves. */
  #settle(guestGroup: GuestGroup): Step | undefined {
    const { tab, order } = guestGroup
    if (tab && order) return placeOrder(guestGroup, tab, order)
    this.#guestGroups.splice(this.#guestGroups.indexOf(guestGroup), 1)
    return tab ? closeTab(guestGroup, tab) : undefined
  }

  #backgroundEvent(room: number): Step {
    const random = this.#random
    if (this.#deck.length === 0) this.#deck.push(...backgroundKinds)
    const [kind] = this.#deck.splice(random.between(0, this.#deck.length - 1), 1)
    if (kind === 'product' && room >= 2) {
      const product = random.pick(products)
      this.#queued.push(categoryOfProductUpdated(product))
      return productUpdated(product)
    }
    if (kind === 'unsubscribe' && this.#subscribers.length > 0) {
      const guestGroup = random.pick(this.#subscribers)
      this.#subscribers.splice(this.#subscribers.indexOf(guestGroup), 1)
      return unsubscribe(guestGroup)
    }
    if (kind === 'location') return locationUpdated()
    return kind === 'category' ? categoryUpdated(random) : menuUpdated(random)
  }
}
