import { field } from './payload.ts'
import type { Payload } from './payload.ts'

/** Where in a payload a value stands, as filters and findings write it: `data.total`, `data.cause.type`, `locationName`. */
export type Place = string

/** What the overview of a delivery looks like, as data; one component draws them all. */
export interface EventView {
  /** A lucide icon's name, kebab-case. */
  readonly icon: string
  /** The word on the card for what happened, and whether something came or went by it. */
  readonly stamp: { readonly word: string; readonly sign: '+' | '−' | null }
  /** The first of them that came is the big heading; none did: the target's id. */
  readonly heading: readonly Place[]
  /** Those that came, side by side under the heading. */
  readonly subheading: readonly Place[]
  /** The figure at the right, drawn as "2 × 6.50" with `times`. Nothing is multiplied: the document does not say what a price is for. */
  readonly amount: { readonly of: Place; readonly times: Place | null } | null
  /** What the card says between heading and fields. */
  readonly parts: readonly ViewPart[]
}

/** A part whose values did not come is left out. */
export type ViewPart =
  /** A list as the lines of a receipt, with what one line is called. */
  | { readonly kind: 'lines'; readonly of: Place; readonly one: string; readonly many: string }
  /** Lists as tags, one after the other. */
  | { readonly kind: 'tags'; readonly of: readonly Place[] }
  /** Words with values between them; left out when one of the values did not come. */
  | { readonly kind: 'sentence'; readonly words: readonly (string | { readonly at: Place })[] }
  /** A sentence for each value that is known; `other` has the value put in for `%`; null: nothing is said. */
  | {
      readonly kind: 'choice'
      readonly of: Place
      readonly cases: Readonly<Record<string, string>>
      readonly other: string | null
    }
  /** By what way a handle reaches a guest, told from its form. */
  | { readonly kind: 'channel'; readonly of: Place }

/** The value at a place; undefined when nothing is there. */
export function valueAt(payload: Payload, place: Place): unknown {
  return place.split('.').reduce<unknown>((value, key) => field(value, key), payload)
}

/** Every place that a view draws, for the test that all of them are in the document. */
export function placesOf(view: EventView): readonly Place[] {
  const { heading, subheading, amount, parts } = view
  return [
    ...heading,
    ...subheading,
    ...(amount ? [amount.of, ...(amount.times === null ? [] : [amount.times])] : []),
    ...parts.flatMap(placesOfPart),
  ]
}

function placesOfPart(part: ViewPart): readonly Place[] {
  switch (part.kind) {
    case 'lines':
    case 'choice':
    case 'channel':
      return [part.of]
    case 'tags':
      return part.of
    case 'sentence':
      return part.words.flatMap((word) => (typeof word === 'string' ? [] : [word.at]))
  }
}
