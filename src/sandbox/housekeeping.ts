import { categories, location, menus, products } from './bar.ts'
import type { Product } from './bar.ts'
import type { Random } from './random.ts'
import { envelope } from './steps.ts'
import type { Step } from './steps.ts'

type Event = Parameters<typeof envelope>[1]

/** One lane for all of it: a category's update must not overtake the product's that caused it. */
const step = (type: string, event: Event): Step => ({
  type,
  lane: 'housekeeping',
  customer: null,
  payload: (now) => envelope(type, event, now),
})

export const menuUpdated = (random: Random): Step =>
  step('MENU_UPDATED', { targetUuid: random.pick(menus).uuid, data: {} })

export const locationUpdated = (): Step =>
  step('LOCATION_UPDATED', { targetUuid: location.uuid, data: {} })

export const productUpdated = (product: Product): Step =>
  step('PRODUCT_UPDATED', { targetUuid: product.uuid, data: {} })

/** The category of a product that changed. The document names no property of `cause` but `type`. */
export const categoryOfProductUpdated = (product: Product): Step =>
  step('CATEGORY_UPDATED', {
    targetUuid: null,
    targetId: product.category.id,
    data: { cause: { type: 'PRODUCT_UPDATED' } },
  })

/** A category that changed of itself. The document does not say what its cause then holds: here nothing. */
export const categoryUpdated = (random: Random): Step =>
  step('CATEGORY_UPDATED', {
    targetUuid: null,
    targetId: random.pick(categories).id,
    data: { cause: {} },
  })

export const someProduct = (random: Random): Product => random.pick(products)
