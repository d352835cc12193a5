import type { Trace } from '#contract/deliveries.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { field, type Payload } from '#catalogue/payload.ts'

/** The payload is empty if the body is not a JSON object. */
export interface Traced {
  readonly row: DeliverySummary
  readonly payload: Payload
}

export interface Placed extends Traced {
  /** The field that links it. */
  readonly by: string
}

/** When the event was created by the service's clock, or else when it was received, in milliseconds since the epoch. */
export function timeOf({ createdAt, receivedAt }: DeliverySummary): number {
  return createdAt ?? receivedAt
}

/** Null for an empty text and for anything but text and numbers. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

export function dataId({ data }: Payload, key: string): string | null {
  return idText(field(data, key))
}

/** `targetUuid`, or else `targetId`. */
export function targetOf({ targetUuid, targetId }: Payload): string | null {
  return idText(targetUuid) ?? idText(targetId)
}

export function nameText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}

/** Null: this cannot be determined. */
export function sameLocation(a: Payload, b: Payload): boolean | null {
  for (const key of ['locationUuid', 'locationId', 'locationName'] as const) {
    const [first, second] = [idText(a[key]), idText(b[key])]
    if (first !== null && second !== null) return first === second
  }
  return null
}

/** Larger bodies are not parsed for a trace, so that the query does not delay others. */
export const traceBodyLimit = 256 * 1024

export interface Head {
  readonly id: number
  readonly type: string | null
  readonly target: string | null
}

export interface Found {
  /** In order of arrival. */
  readonly found: Traced[]
  readonly cut: boolean
}

export interface TraceSource {
  read(id: number): Traced | null
  /**
   * Indexed deliveries that mention an ID in any field. If there are more than `limit`, those nearest to `around`. Found by hash, so the caller must
   * compare the payload.
   */
  mentioning(
    id: string,
    options: { around: number; limit: number; wanted?: (head: Head) => boolean },
  ): Found
  unread(): number
}

export type SubjectKind = Trace['subject']['kind']

export interface Subject {
  readonly kind: SubjectKind
  /** Empty: the delivery has no target. */
  readonly id: string
}

/** What an event itself is about, with the name it gives (API documentation, "Event catalogue"). */
export interface About extends Subject {
  readonly name: string | null
}

/** Null if the event has no target. Pure. */
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
      // The API documentation lists only SPOT; any other value is not shown as a spot.
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
 * The subject whose trace a delivery belongs to: items and orders belong to the tab they name, else items to the order they name. An event of an
 * undocumented type belongs to a tab if it has `data.tabUuid`. Pure.
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
