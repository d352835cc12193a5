import type { Trace } from '#contract/deliveries.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { field } from '#catalogue/payload.ts'
import { dataId, idText, nameText, targetOf, type Traced } from './traced.ts'

export type SubjectKind = Trace['subject']['kind']

export interface Subject {
  readonly kind: SubjectKind
  /** Empty: the delivery names nothing that it is about. */
  readonly id: string
}

/** What an event is about itself, with the name that it gives (SPEC, "Event catalogue": what its target stands for). */
export interface About extends Subject {
  readonly name: string | null
}

/** Pure. Null: it has no target. */
export function aboutOf({ payload }: Traced): About | null {
  const id = targetOf(payload)
  if (id === null) return null
  const { kind, name } = kindOf(payload)
  return { kind, id, name }
}

function kindOf(payload: Traced['payload']): { kind: SubjectKind; name: string | null } {
  const { type, data, locationName } = payload
  switch (type) {
    case 'OPEN_TAB':
    case 'CLOSE_TAB':
      return { kind: 'tab', name: nameText(field(data, 'name')) }
    case 'ORDER_PLACED':
      return { kind: 'order', name: nameText(field(data, 'orderName')) }
    case 'ITEM_ADDED':
    case 'ITEM_REMOVED':
      return {
        kind: 'item',
        name: nameText(field(data, 'name')) ?? nameText(field(data, 'productName')),
      }
    case 'GUEST_VERIFIED':
    case 'GUEST_SUBSCRIBED':
    case 'GUEST_UNSUBSCRIBED':
      return { kind: 'guest', name: null }
    case 'MENU_UPDATED':
      return { kind: 'menu', name: null }
    case 'PRODUCT_UPDATED':
      return { kind: 'product', name: null }
    case 'CATEGORY_UPDATED':
      return { kind: 'category', name: null }
    case 'LOCATION_UPDATED':
      return { kind: 'location', name: nameText(locationName) }
    case 'QR_SCANNED': {
      // The document knows no other value; one that comes all the same is not called a spot.
      const what = field(data, 'type')
      return {
        kind: what === 'SPOT' || what === undefined ? 'spot' : 'other',
        name: nameText(field(data, 'targetName')),
      }
    }
    default:
      return { kind: 'other', name: null }
  }
}

/**
 * Whose life a delivery is part of: items and orders belong to the tab that they name, else to the order that an item names. An event of
 * a type that is not in the API documentation counts to a tab as well when it has `data.tabUuid`. Pure.
 */
export function subjectOf(delivery: Traced): Subject {
  const { payload } = delivery
  const about = aboutOf(delivery)
  const inTab =
    about?.kind === 'order' || about?.kind === 'item' || eventTypeOf(payload.type) === undefined
  const tab = inTab ? dataId(payload, 'tabUuid') : null
  if (tab !== null) return { kind: 'tab', id: tab }
  const isItem = payload.type === 'ITEM_ADDED' || payload.type === 'ITEM_REMOVED'
  const order = isItem ? dataId(payload, 'orderId') : null
  if (order !== null) return { kind: 'order', id: order }
  if (about) return { kind: about.kind, id: about.id }
  return { kind: 'other', id: idText(delivery.row.target) ?? '' }
}
