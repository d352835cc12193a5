import { field, type Payload } from './payload.ts'

/** As in filters and findings: `data.total`, `data.cause.type`, `locationName`. */
export type Place = string

export interface EventView {
  readonly icon: string
  /** `sign`: whether the event adds or removes something. */
  readonly stamp: { readonly word: string; readonly sign: '+' | '−' | null }
  /** The first existing value; if none exists, the target's ID. */
  readonly heading: readonly Place[]
  readonly subheading: readonly Place[]
  /** Shown as "2 × 6.50" with `times`. Not multiplied, because the API documentation does not define the unit of a price. */
  readonly amount: { readonly of: Place; readonly times: Place | null } | null
  readonly parts: readonly ViewPart[]
}

/** What fields mean in words. The fields themselves are listed below. Parts with missing values are omitted. */
export type ViewPart =
  /** `one` and `many`: the name of a line. */
  /** `other` is used for other values, with the value instead of `%`; null: omitted. */
  | {
      readonly kind: 'choice'
      readonly of: Place
      readonly cases: Readonly<Record<string, string>>
      readonly other: string | null
    }
  | { readonly kind: 'channel'; readonly of: Place }

export function valueAt(payload: Payload, place: Place): unknown {
  return place.split('.').reduce<unknown>((value, key) => field(value, key), payload)
}
