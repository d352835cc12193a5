import type { Payload } from '#catalogue/payload.ts'
import { type Product, type Spot, guestNames, products, spots } from './bar.ts'
import type { Random } from './random.ts'
import { envelope, type Step } from './steps.ts'

/** For the IDs of one scenario. Each number is used once. */
export interface Numbers {
  next(kind: 'guestGroup' | 'tab' | 'order'): number
}

interface Item {
  readonly uuid: string
  readonly product: Product
  readonly quantity: number
}

interface Order {
  readonly uuid: string
  readonly id: string
  readonly name: string
  readonly items: Item[]
}

/** A guest at a spot, who scans, verifies, opens a tab, orders, pays and leaves. */
export interface GuestGroup {
  readonly lane: string
  readonly customer: string
  readonly name: string
  readonly handle: string
  readonly spot: Spot
  /** Events to send before the tab is opened. */
  readonly arrival: ('scan' | 'verify')[]
  tab: { readonly uuid: string; readonly id: string } | null
  order: Order | null
  ordersLeft: number
  subscribes: boolean
}

type Event = Pick<Payload, 'targetUuid' | 'targetId'> & {
  readonly data: object | ((now: Date) => object)
}

/** In the lane of this guest group, so that its events are received in the order in which they happened. */
function step(guestGroup: GuestGroup, type: string, { data, ...target }: Event): Step {
  return {
    type,
    lane: guestGroup.lane,
    customer: guestGroup.customer,
    payload: (now) =>
      envelope(type, { ...target, data: typeof data === 'function' ? data(now) : data }, now),
  }
}

export function arrive(random: Random, numbers: Numbers): GuestGroup {
  const number = numbers.next('guestGroup')
  const name = random.pick(guestNames)
  const mail = name.normalize('NFD').replaceAll(/[^A-Za-z]/g, '')
  return {
    lane: `guestGroup ${number}`,
    customer: random.uuid(),
    name,
    handle: random.chance(0.5)
      ? `${mail.toLowerCase()}${number}@example.com`
      : `+1 202 555 01${random.between(10, 99)}`,
    spot: random.pick(spots),
    // At most one scan per guest: this respects the throttle (API documentation, "QR_SCANNED") at any rate, and the steps depend on the seed only.
    arrival: [
      ...(random.chance(0.7) ? (['scan'] as const) : []),
      ...(random.chance(0.4) ? (['verify'] as const) : []),
    ],
    tab: null,
    order: null,
    ordersLeft: random.between(1, 3),
    subscribes: random.chance(0.25),
  }
}

export function scan(guestGroup: GuestGroup, random: Random): Step {
  const { spot } = guestGroup
  const entryPoint = random.pick(['door', 'table'])
  return step(guestGroup, 'QR_SCANNED', {
    targetId: spot.id,
    data: { type: 'SPOT', targetName: spot.name, entryPoint },
  })
}

/** For a guest who was not merged, `oldCustomerId` is empty: an assumption, since the API documentation does not cover this case. */
export function verify(guestGroup: GuestGroup, random: Random): Step {
  const merged = random.chance(0.2)
  const oldCustomerId = merged ? `${random.between(30_000, 39_999)}` : ''
  const data = { oldCustomerId, isFirstTime: merged ? false : random.chance(0.6) }
  return step(guestGroup, 'GUEST_VERIFIED', { targetUuid: guestGroup.customer, data })
}

export function subscribe(guestGroup: GuestGroup): Step {
  const { customer, handle } = guestGroup
  return step(guestGroup, 'GUEST_SUBSCRIBED', { targetUuid: customer, data: { handle } })
}

export function unsubscribe(guestGroup: GuestGroup): Step {
  const { customer, handle } = guestGroup
  return step(guestGroup, 'GUEST_UNSUBSCRIBED', { targetUuid: customer, data: { handle } })
}

export function openTab(
  guestGroup: GuestGroup,
  random: Random,
  numbers: Numbers,
  brand: string,
): Step {
  const tab = { uuid: random.uuid(), id: `${7000 + numbers.next('tab')}` }
  guestGroup.tab = tab
  const openedFrom = random.pick([`${brand.toUpperCase()}_MENU`, 'SERVER_TAB'])
  const data = { name: guestGroup.name, spotName: guestGroup.spot.name, total: 0, openedFrom }
  return step(guestGroup, 'OPEN_TAB', { targetUuid: tab.uuid, data })
}

type Tab = NonNullable<GuestGroup['tab']>

export function addItem(guestGroup: GuestGroup, tab: Tab, random: Random, numbers: Numbers): Step {
  guestGroup.order ??= newOrder(random, numbers.next('order'))
  const { order } = guestGroup
  const item = { uuid: random.uuid(), product: random.pick(products), quantity: 1 }
  if (random.chance(0.3)) item.quantity = random.between(2, 4)
  order.items.push(item)
  const { product, quantity } = item
  return step(guestGroup, 'ITEM_ADDED', {
    targetUuid: item.uuid,
    data: {
      orderId: order.id,
      productId: product.id,
      name: product.name,
      productName: product.name,
      categoryName: product.category.name,
      quantity,
      price: product.cents / 100,
      tags: product.tags,
      tabId: tab.id,
      tabUuid: tab.uuid,
    },
  })
}

function newOrder(random: Random, number: number): Order {
  const letter = String.fromCodePoint(65 + (Math.floor((number - 1) / 99) % 26))
  const name = `${letter}-${((number - 1) % 99) + 1}`
  return { uuid: random.uuid(), id: `${5000 + number}`, name, items: [] }
}

export function removeItem(guestGroup: GuestGroup, tab: Tab, order: Order, random: Random): Step {
  const item = random.pick(order.items)
  order.items.splice(order.items.indexOf(item), 1)
  const { product, quantity } = item
  return step(guestGroup, 'ITEM_REMOVED', {
    targetUuid: item.uuid,
    data: {
      orderId: order.id,
      name: product.name,
      productName: product.name,
      quantity,
      price: product.cents / 100,
      tags: product.tags,
      tabId: tab.id,
      tabUuid: tab.uuid,
    },
  })
}

/** The total is the sum of quantity times price, because prices at this bar include taxes and fees. */
export function placeOrder(guestGroup: GuestGroup, tab: Tab, order: Order): Step {
  guestGroup.order = null
  guestGroup.ordersLeft -= 1
  const { zone, name: spotName } = guestGroup.spot
  const bought = order.items.map(({ product }) => product)
  const cents = order.items.reduce(
    (sum, { product, quantity }) => sum + product.cents * quantity,
    0,
  )
  return step(guestGroup, 'ORDER_PLACED', {
    targetUuid: order.uuid,
    data: (now) => ({
      created: now.toISOString(),
      orderName: order.name,
      scheduled: false,
      zoneName: zone.name,
      spotName,
      zoneTags: zone.tags,
      zoneGroupName: zone.group,
      total: cents / 100,
      tabUuid: tab.uuid,
      itemNames: bought.map(({ name }) => name),
      itemTags: [...new Set(bought.flatMap(({ tags }) => tags))],
      categoryNames: [...new Set(bought.map(({ category }) => category.name))],
    }),
  })
}

export function closeTab(guestGroup: GuestGroup, tab: Tab): Step {
  guestGroup.tab = null
  return step(guestGroup, 'CLOSE_TAB', { targetUuid: tab.uuid, data: {} })
}
