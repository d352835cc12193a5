import { field } from './payload.ts'
import type { Payload } from './payload.ts'

/** The path of a value in a payload, as in filters and findings: `data.total`, `data.cause.type`, `locationName`. */
export type Place = string

/** Layout of the overview of a delivery. One component renders all layouts. */
export interface EventView {
  /** Name of a lucide icon, in kebab case. */
  readonly icon: string
  /** Label of the event, and whether it adds or removes something. */
  readonly stamp: { readonly word: string; readonly sign: '+' | '−' | null }
  /** Paths for the heading: the first existing value is used; if none exists, the target's id. */
  readonly heading: readonly Place[]
  /** Paths for the subheading: all existing values. */
  readonly subheading: readonly Place[]
  /** The amount at the right, shown as "2 × 6.50" with `times`. It is not multiplied, because the API documentation does not define the unit of a price. */
  readonly amount: { readonly of: Place; readonly times: Place | null } | null
  /** Parts between heading and fields. */
  readonly parts: readonly ViewPart[]
}

/** A part of the overview. Parts with missing values are omitted. */
export type ViewPart =
  /** A list shown as lines, with the singular and plural name of a line. */
  | { readonly kind: 'lines'; readonly of: Place; readonly one: string; readonly many: string }
  /** Lists shown as tags. */
  | { readonly kind: 'tags'; readonly of: readonly Place[] }
  /** Text with embedded values. Omitted if a value is missing. */
  | { readonly kind: 'sentence'; readonly words: readonly (string | { readonly at: Place })[] }
  /** A sentence for each known value. `other` is used for other values, with the value instead of `%`; null: omitted. */
  | {
      readonly kind: 'choice'
      readonly of: Place
      readonly cases: Readonly<Record<string, string>>
      readonly other: string | null
    }
  /** The contact channel of a handle. */
  | { readonly kind: 'channel'; readonly of: Place }

/** Returns the value at a path; undefined if missing. */
export function valueAt(payload: Payload, place: Place): unknown {
  return place.split('.').reduce<unknown>((value, key) => field(value, key), payload)
}
