import type { Facts } from '#contract/models.ts'
import { eventTypeOf } from './catalogue.ts'
import type { FactPlaces } from './define.ts'
import { cleanText, type Payload } from './payload.ts'
import { valueAt, type Place } from './view.ts'

const maxText = 200
const maxItems = 50

/** What the event is about, from its own payload. Null: nothing, or the type is not documented. Never throws. */
export function factsOf(payload: Payload): Facts | null {
  const places = eventTypeOf(payload.type)?.facts
  if (!places) return null
  const facts: Facts = {
    spot: isSpot(payload, places) ? textAt(payload, places.spot) : null,
    zone: textAt(payload, places.zone),
    amount: numberAt(payload, places.amount),
    items: itemsAt(payload, places.items ?? []),
    tab: namedAt(payload, places.tab, places.tabName),
    order: namedAt(payload, places.order, places.orderName),
    guest: namedAt(payload, places.guest, places.guestName),
    openedAt: null,
  }
  return Object.values(facts).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== null,
  )
    ? facts
    : null
}

/** A QR code may point to something else. */
function isSpot(payload: Payload, { spotIf }: FactPlaces): boolean {
  return spotIf === undefined || valueAt(payload, spotIf.place) === spotIf.is
}

function namedAt(
  payload: Payload,
  ids: readonly Place[] = [],
  name: Place | undefined,
): Facts['tab'] {
  for (const place of ids) {
    const id = idAt(payload, place)
    if (id !== null) return { id, name: textAt(payload, name) }
  }
  return null
}

function idAt(payload: Payload, place: Place): string | null {
  const value = valueAt(payload, place)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && value.length <= maxText
    ? value.toWellFormed()
    : null
}

function textAt(payload: Payload, place: Place | undefined): string | null {
  const value = place === undefined ? undefined : valueAt(payload, place)
  return typeof value === 'string' ? cleanText(value, maxText) || null : null
}

function numberAt(payload: Payload, place: Place | undefined): number | null {
  const value = place === undefined ? undefined : valueAt(payload, place)
  // A larger number is not shown rather than shown with other digits.
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null
}

function itemsAt(payload: Payload, places: readonly Place[]): string[] {
  const names = new Set<string>()
  for (const place of places) {
    const value = valueAt(payload, place)
    for (const each of Array.isArray(value) ? value.slice(0, maxItems) : [value]) {
      const name = typeof each === 'string' ? cleanText(each, maxText) : ''
      if (name !== '') names.add(name)
    }
  }
  return [...names]
}
