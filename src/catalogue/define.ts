import { joinNonEmpty, shortId, type Payload } from './payload.ts'
import type { EventView, Place } from './view.ts'

export type FieldType = 'string' | 'number' | 'boolean' | 'string[]' | 'object'

/** How a value is displayed. Amounts have no currency, because the API documentation gives none. */
export type FieldFormat = 'text' | 'id' | 'amount' | 'count' | 'time' | 'tags' | 'flag' | 'object'

/**
 * `text`: as it is if it looks like one; `spot`: so only next to `type` SPOT; `product`: as it is; `item`: as it is if a product has this name, because
 * tills allow free text; `name` and `handle`: an alias.
 */
export type Leaves = 'type' | 'text' | 'spot' | 'product' | 'item' | 'name' | 'handle'

/** One row of a type's table (API documentation, "Event catalogue"). */
export interface DataField {
  readonly key: string
  readonly type: FieldType
  /** As in the API documentation. */
  readonly description: string
  readonly label: string
  readonly format: FieldFormat
  /** Other values are reported as information, never as an error. `SERVICE` is replaced by the brand in capitals. */
  readonly known?: readonly string[]
  /** For an object: documented values of one of its properties. Other values are reported as information. */
  readonly inside?: { readonly key: string; readonly known: readonly string[] }
  /** What a masked record shows of its value (`harmless.ts`). Absent: according to the format, which masks texts. */
  readonly leaves?: Leaves
  /** According to its description, the field is conditional. Its absence is not reported. */
  readonly conditional?: true
}

/** Samples use nothing else, so that the same seed gives the same sample. */
export interface SampleSource {
  readonly now: Date
  readonly uuid: () => string
  /** An integer; both limits are included. */
  readonly between: (from: number, to: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  readonly brand: string
  readonly location: { readonly uuid: string; readonly id: string; readonly name: string }
}

/** Where a payload says what the event is about. Of several places, the first one with a value. */
export interface FactPlaces {
  readonly spot?: Place
  /** `spot` is the name of a spot only if this place has this value. */
  readonly spotIf?: { readonly place: Place; readonly is: string }
  readonly zone?: Place
  readonly amount?: Place
  readonly items?: readonly Place[]
  readonly tab?: readonly Place[]
  readonly tabName?: Place
  readonly order?: readonly Place[]
  readonly orderName?: Place
  readonly guest?: readonly Place[]
  readonly guestName?: Place
  /** IDs of other things that are new each time, such as an item. All other documented IDs are of what is configured, such as a product. */
  readonly others?: readonly Place[]
}

/** To add an event type, add a file to `types/`. */
export interface EventType {
  readonly type: string
  /** "Order placed" */
  readonly label: string
  /** As in the API documentation. */
  readonly fired: string
  /** Meaning of `targetUuid` and `targetId`; null: the type does not have it. */
  readonly target: { readonly uuid: string | null; readonly id: string | null }
  /** `contradictory`: the summary in the API documentation says no, but the definition lists fields (OPEN_TAB). */
  readonly hasData: 'yes' | 'no' | 'contradictory'
  readonly data: readonly DataField[]
  readonly view: EventView
  readonly facts?: FactPlaces
  /** "T4 · Order A-17 · Pale Ale, Fries": the spot, what happened, then details. Never throws, even if fields are missing or have unexpected types. */
  summarise(payload: Payload): string
  sample(source: SampleSource): Pick<Payload, 'targetUuid' | 'targetId' | 'data'>
}

/** In the key order of the API documentation. JSON omits undefined values. */
export function samplePayload(eventType: EventType, source: SampleSource): Payload {
  const { location, now } = source
  const { targetUuid, targetId, data } = eventType.sample(source)
  return {
    type: eventType.type,
    targetUuid,
    targetId,
    locationUuid: location.uuid,
    locationName: location.name,
    locationId: location.id,
    createdAt: now.toISOString(),
    data,
  }
}

/** The catalogue collects the default exports of `types/`. */
export function defineEventType(eventType: EventType): EventType {
  return eventType
}

/** A type whose deliveries say only which thing was changed, by its UUID: "Menu 3f8a changed". */
export function withoutData(
  eventType: Pick<EventType, 'type' | 'label' | 'fired' | 'facts'> & {
    readonly subject: string
    readonly icon: EventView['icon']
    readonly change: string
  },
): EventType {
  const { subject, icon, change, ...rest } = eventType
  return {
    ...rest,
    target: { uuid: `${subject.toLowerCase()}Uuid`, id: null },
    hasData: 'no',
    data: [],
    view: {
      icon,
      stamp: { word: rest.label, sign: null },
      heading: [],
      subheading: ['locationName'],
      amount: null,
      parts: [],
    },
    summarise: ({ targetUuid }) => joinNonEmpty(subject, shortId(targetUuid), change),
    sample: ({ uuid }) => ({ targetUuid: uuid(), data: {} }),
  }
}

/** Key, type and description as in the API documentation, then label and format of Tabscope. */
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

export function leaves(rule: Leaves, field: DataField): DataField {
  return { ...field, leaves: rule }
}

export function knownValues(field: DataField, brand: string): readonly string[] {
  return (field.known ?? []).map((value) => value.replaceAll('SERVICE', brand.toUpperCase()))
}
