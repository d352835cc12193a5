import type { EventType } from '#catalogue/define.ts'
import { amount, field, text } from '#catalogue/payload.ts'
import type { Payload } from '#catalogue/payload.ts'
import { valueAt } from '#catalogue/view.ts'

/** What the head of a card says. */
export interface TicketHeadText {
  readonly icon: string
  /** What happened. */
  readonly stamp: string
  readonly sign: '+' | '−' | null
  /** When the service sends it; null: the document does not say. */
  readonly fired: string | null
  readonly heading: string
  /** The heading is the target's id, for want of a name. */
  readonly isId: boolean
  readonly subheading: string
  /** The figure at the right with what it is; null: the type has none, or none came. */
  readonly figure: { readonly text: string; readonly label: string } | null
}

/** The head of a payload's card, by its type's view; for a type that the document does not know, by the payload alone. */
export function ticketHead(known: EventType | undefined, payload: Payload): TicketHeadText {
  const target = text(payload.targetUuid) || text(payload.targetId)
  if (!known) {
    return {
      icon: 'circle-question-mark',
      stamp: 'Unknown type',
      sign: null,
      fired: null,
      heading: text(payload.type) || 'No type',
      isId: false,
      subheading: text(payload.locationName),
      figure: null,
    }
  }
  const { view, fired } = known
  const [named] = textsAt(payload, view.heading)
  const heading = named ?? (target || 'No target')
  return {
    icon: view.icon,
    stamp: view.stamp.word,
    sign: view.stamp.sign,
    fired,
    heading,
    isId: named === undefined && target !== '',
    subheading: [...new Set(textsAt(payload, view.subheading))]
      .filter((part) => part !== heading)
      .join(' · '),
    figure: figureOf(known, payload),
  }
}

function textsAt(payload: Payload, places: readonly string[]): string[] {
  return places.map((place) => text(valueAt(payload, place))).filter((part) => part !== '')
}

function figureOf({ view, data }: EventType, payload: Payload): TicketHeadText['figure'] {
  if (!view.amount) return null
  const { of, times } = view.amount
  const price = amount(valueAt(payload, of))
  if (price === '') return null
  const labelOf = (place: string): string =>
    data.find(({ key }) => `data.${key}` === place)?.label ?? place
  const quantity = times === null ? '' : text(valueAt(payload, times))
  if (times === null || quantity === '') return { text: price, label: labelOf(of) }
  return {
    text: `${quantity} × ${price}`,
    label: `${labelOf(times)} × ${labelOf(of).toLowerCase()}`,
  }
}

/** True when `data` is there and is no object: it then has no fields to draw. */
export function dataIsNoObject(payload: Payload): boolean {
  const data = field(payload, 'data')
  return data !== undefined && (typeof data !== 'object' || data === null || Array.isArray(data))
}
