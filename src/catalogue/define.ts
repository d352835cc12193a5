import type { Payload } from './payload.ts'
import type { EventView } from './view.ts'

/** The type of a data field, as the document's tables name it. */
export type FieldType = 'string' | 'number' | 'boolean' | 'string[]' | 'object'

/** How a value is drawn. Amounts carry no currency, since the document gives none. */
export type FieldFormat = 'text' | 'id' | 'amount' | 'count' | 'time' | 'tags' | 'flag' | 'object'

/** One row of a type's table in the document (API documentation, "Event catalogue"). */
export interface DataField {
  readonly key: string
  readonly type: FieldType
  /** The document's own words. */
  readonly description: string
  /** What the interface calls it. */
  readonly label: string
  readonly format: FieldFormat
  /** Values the document lists. Others are information, never an error. `SERVICE` in one stands for the brand in capitals. */
  readonly known?: readonly string[]
  /** Of an object: values that the document lists for a property in it. Others are information. */
  readonly inside?: { readonly key: string; readonly known: readonly string[] }
  /** It may hold the name of a person, as far as its description tells: redaction replaces it. */
  readonly person?: true
  /** The description makes it depend on something: its absence is no departure. */
  readonly conditional?: true
}

/** What a sample is made of: nothing but arguments, so that the same seed gives the same sample. */
export interface SampleSource {
  readonly now: Date
  readonly uuid: () => string
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  /** The word that stands for `Service` in known values. */
  readonly brand: string
  readonly location: { readonly uuid: string; readonly id: string; readonly name: string }
}

/** One event type of the service. A new one is one new file in `types/`. */
export interface EventType {
  readonly type: string
  /** "Order placed" */
  readonly label: string
  /** When the service sends it, in the document's words. */
  readonly fired: string
  /** What `targetUuid` and `targetId` stand for; null: the type has none. */
  readonly target: { readonly uuid: string | null; readonly id: string | null }
  /** `contradictory`: the document's summary says no, its definition lists fields (OPEN_TAB). */
  readonly hasData: 'yes' | 'no' | 'contradictory'
  readonly data: readonly DataField[]
  readonly view: EventView
  /** One line for the list. Fields may be absent or of any type: it never throws. */
  summarise(payload: Payload): string
  /** A believable `data` and targets, as the service would send them. */
  sample(source: SampleSource): Pick<Payload, 'targetUuid' | 'targetId' | 'data'>
}

/** Says that a file declares an event type; the catalogue collects the default exports of `types/`. */
export function defineEventType(eventType: EventType): EventType {
  return eventType
}

/** One row of the document's table: key, type and description as written there, then our label and format. */
export function row(
  key: string,
  type: FieldType,
  description: string,
  label: string,
  format: FieldFormat,
  known?: readonly string[],
): DataField {
  const field = { key, type, description, label, format }
  return known ? { ...field, known } : field
}

/** The values the document lists for a field, under a brand; empty when it lists none. */
export function knownValues(field: DataField, brand: string): readonly string[] {
  return (field.known ?? []).map((value) => value.replaceAll('SERVICE', brand.toUpperCase()))
}
