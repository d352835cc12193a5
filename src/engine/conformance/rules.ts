import { eventTypes } from '#catalogue/catalogue.ts'
import { type DataField, type EventType, knownValues, type FieldType } from '#catalogue/define.ts'
import { commonFields, field as valueOf, type Payload } from '#catalogue/payload.ts'
import type { Header } from '#contract/models.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import type { ParsedObject } from '../capture/parse-text.ts'
import { checkCustomHeaders } from './custom-headers.ts'
import { type Departures, mostFindings } from './departures.ts'
import { checkDuplicateKeys } from './duplicate-keys.ts'
import { checkEventHeaders, checkSender, headerRules, type HeaderRules } from './header-rules.ts'
import { planHeaders, type ReceivedHeaders } from './received-headers.ts'
import { describeValueKind, fits, describeType } from '#catalogue/field-type.ts'
import type { KnownCode } from '#catalogue/finding-codes.ts'

/** With the calendar date and the time of day, in the extended or the basic format; the zone may be left out (ISO 8601-1, 5.4). */
const timestamp =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?|\d{8}T\d{4}(?:\d\d(?:[.,]\d+)?)?)(?:Z|[+-]\d\d(?::?\d\d)?)?$/

const utcWithMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|\+00:00)$/

/** ISO 8601 with exactly three digits of a second and in UTC, of a moment that there is (API documentation, "Payload shape in a delivery"). */
export function isUtcWithMilliseconds(text: string): boolean {
  return utcWithMilliseconds.test(text) && isReal(text, 5, 8, 11, 14, 17)
}

/** An ISO 8601 timestamp of a moment that there is. */
export function isIsoTimestamp(text: string): boolean {
  if (!timestamp.test(text)) return false
  return text[4] === '-' ? isReal(text, 5, 8, 11, 14, 17) : isReal(text, 4, 6, 9, 11, 13)
}

/** Where month, day, hour, minute and second begin; what is no digit there was left out. A parser would make 2 March of 30 February. */
function isReal(
  text: string,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): boolean {
  const m = twoDigits(text, month)
  const d = twoDigits(text, day)
  if (m < 1 || m > 12 || d < 1 || d > 31) return false
  if (d > 28 && d > daysIn(Number(text.slice(0, 4)), m)) return false
  // A leap second is a moment that there is.
  return (
    twoDigits(text, hour) < 24 && twoDigits(text, minute) < 60 && !(twoDigits(text, second) > 60)
  )
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const rule = ({ key, type, optional }: (typeof commonFields)[number]): FieldRule => ({
  key,
  type,
  place: `body.${key}`,
  required: !optional,
  ...(key === 'createdAt' ? { look: checkCreatedAt } : {}),
})

const rest = {
  place: 'body',
  codes: {
    missing: 'payload.field_missing',
    type: 'payload.field_type',
    extra: 'payload.field_extra',
  },
  messages: {
    missing: 'Every body has this field (API documentation, "Webhook payload").',
    type: 'The API documentation gives this field another type (API documentation, "Webhook payload").',
    extra:
      'The API documentation has no such field next to data (API documentation, "Webhook payload").',
  },
} as const

/** The common properties of a body (API documentation, "Webhook payload"). */
const commonRules = fieldRules(commonFields.map(rule), rest)

/** The same where `data` may be absent: the document contradicts itself for the type (OPEN_TAB). */
const commonRulesWithoutData = fieldRules(
  commonFields.map((field) =>
    field.key === 'data' ? { ...rule(field), required: false } : rule(field),
  ),
  rest,
)

function checkCreatedAt(value: unknown, place: string, departures: Departures): void {
  if (typeof value !== 'string' || isUtcWithMilliseconds(value)) return
  departures.add(
    'payload.created_at',
    place,
    'createdAt is an ISO 8601 time with milliseconds, in UTC (API documentation, "Payload shape in a delivery").',
    { expected: 'such as 2026-03-14T21:00:00.123Z', actual: value },
  )
}

interface TypeRules {
  readonly eventType: EventType
  readonly common: FieldRules
  readonly data: FieldRules
}

/** All that deliveries to one endpoint are held against, made once. */
export interface EndpointRules {
  readonly headers: HeaderRules
  readonly types: ReadonlyMap<string, TypeRules>
}

/** What of an endpoint's settings counts for conformance. */
export interface EndpointSettings {
  readonly brand: string
  /** Empty: any. */
  readonly applicationId: string
  readonly customHeaders: readonly Header[]
}

export function compileRules(settings: EndpointSettings): EndpointRules {
  const { brand, applicationId, customHeaders } = settings
  return {
    headers: headerRules(planHeaders(brand, customHeaders), brand, applicationId),
    types: new Map(
      eventTypes.map((eventType) => [
        eventType.type,
        {
          eventType,
          common: eventType.hasData === 'contradictory' ? commonRulesWithoutData : commonRules,
          data: dataRules(eventType, brand),
        },
      ]),
    ),
  }
}

/** Holds the headers of a whole request against the endpoint's rules; `payload` is null where the body is no object. */
export function checkHeaders(
  { headers }: EndpointRules,
  received: ReceivedHeaders,
  payload: Payload | null,
  departures: Departures,
): void {
  if (payload) checkEventHeaders(headers, payload, received, departures)
  checkSender(headers, received, departures)
  checkCustomHeaders(headers.plan.custom, received, departures)
}

/** Holds a whole body against the document. For a type that is not in the API documentation, only the common rules count. */
export function checkBody(
  { types }: EndpointRules,
  { payload, text }: ParsedObject,
  departures: Departures,
): void {
  const { type, data } = payload
  const rules = typeof type === 'string' ? types.get(type) : undefined
  checkDuplicateKeys(text, payload, departures)
  checkFields(payload, rules?.common ?? commonRules, departures)
  if (!rules) {
    if (typeof type === 'string') {
      departures.add(
        'payload.unknown_type',
        'body.type',
        'The API documentation does not list this event type, so its data is not checked.',
        { actual: type },
      )
    }
    return
  }
  checkTargets(rules.eventType, payload, departures)
  if (isObject(data)) checkFields(data, rules.data, departures)
}

/** Which of targetUuid and targetId the type must have (API documentation, "Event catalogue"). Null and empty count as none. */
function checkTargets(
  { type, target }: EventType,
  { targetUuid, targetId }: Payload,
  departures: Departures,
): void {
  const hasUuid = isThere(targetUuid)
  const hasId = isThere(targetId)
  if (target.uuid !== null && !hasUuid) {
    departures.add(
      'target.uuid_missing',
      'body.targetUuid',
      `${type} names its target by targetUuid (API documentation, "Event catalogue").`,
      { expected: `the ${target.uuid}`, actual: wordFor(targetUuid) },
    )
  }
  if (target.id !== null && !hasId) {
    departures.add(
      'target.id_missing',
      'body.targetId',
      `${type} names its target by targetId (API documentation, "Event catalogue").`,
      { expected: `the ${target.id}`, actual: wordFor(targetId) },
    )
  }
  if (target.uuid === null && hasUuid) {
    departures.add(
      'target.uuid_unexpected',
      'body.targetUuid',
      `${type} has no targetUuid (API documentation, "Event catalogue").`,
      { expected: 'none', actual: told(targetUuid) },
    )
  }
  if (target.id === null && hasId) {
    departures.add(
      'target.id_unexpected',
      'body.targetId',
      `${type} has no targetId (API documentation, "Event catalogue").`,
      { expected: 'none', actual: told(targetId) },
    )
  }
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function wordFor(value: unknown): string {
  return value === undefined ? 'nothing' : value === null ? 'null' : 'an empty text'
}

function told(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : describeValueKind(value)
}

/**
 * The rules for `data` of a type (API documentation, "Event catalogue"), made once from what its file declares. Where the document contradicts itself
 * (OPEN_TAB), nothing is missing: empty, absent and filled are all right.
 */
function dataRules({ type, hasData, data }: EventType, brand: string): FieldRules {
  const rule = (field: DataField): FieldRule => {
    const look = lookAt(field, brand)
    return {
      key: field.key,
      type: field.type,
      place: `body.data.${field.key}`,
      required: hasData === 'yes' && field.conditional !== true,
      ...(look ? { look } : {}),
    }
  }
  return fieldRules(data.map(rule), {
    place: 'body.data',
    codes: { missing: 'data.field_missing', type: 'data.field_type', extra: 'data.field_extra' },
    messages: {
      missing: `The API documentation lists this field for ${type} (API documentation, "Event catalogue").`,
      type: `The API documentation gives this field of ${type} another type (API documentation, "Event catalogue").`,
      extra:
        hasData === 'no'
          ? `The API documentation lists no data for ${type} (API documentation, "Event catalogue").`
          : `The API documentation does not list this field for ${type} (API documentation, "Event catalogue").`,
    },
  })
}

function lookAt(field: DataField, brand: string): FieldRule['look'] {
  const known = knownValues(field, brand)
  if (known.length > 0) return (value, place, to) => checkKnown(known, value, place, to)
  const { inside } = field
  if (inside) {
    return (value, place, to) => {
      const inner = valueOf(value, inside.key)
      if (inner !== undefined) checkKnown(inside.known, inner, `${place}.${inside.key}`, to)
    }
  }
  return field.format === 'time' ? checkTime : undefined
}

function checkKnown(
  known: readonly string[],
  value: unknown,
  place: string,
  departures: Departures,
): void {
  if (typeof value === 'string' && known.includes(value)) return
  departures.add(
    'data.value_new',
    place,
    'The API documentation does not list this value. It may be new: the documentation does not say that its list is complete.',
    {
      expected: known.join(' or '),
      actual: typeof value === 'string' ? value : describeValueKind(value),
    },
  )
}

function checkTime(value: unknown, place: string, departures: Departures): void {
  if (typeof value !== 'string' || isIsoTimestamp(value)) return
  departures.add('data.time', place, 'The API documentation calls this an ISO 8601 timestamp.', {
    expected: 'such as 2026-03-14T21:00:00.123Z',
    actual: value,
  })
}

/** One field that the document lists. */
interface FieldRule {
  readonly key: string
  readonly type: FieldType
  readonly place: string
  /** False: its absence, or null for it, is no finding. */
  readonly required: boolean
  /** Looks at a value of the right type; absent: every one will do. */
  readonly look?: (value: unknown, place: string, departures: Departures) => void
}

/** The fields of an object, by their keys. */
interface FieldRules {
  readonly byKey: ReadonlyMap<string, FieldRule>
  readonly required: number
  /** Of the object: `body`, `body.data`. */
  readonly place: string
  readonly codes: {
    readonly missing: KnownCode
    readonly type: KnownCode
    readonly extra: KnownCode
  }
  readonly messages: { readonly missing: string; readonly type: string; readonly extra: string }
}

function fieldRules(
  fields: readonly FieldRule[],
  rest: Omit<FieldRules, 'byKey' | 'required'>,
): FieldRules {
  return {
    ...rest,
    byKey: new Map(fields.map((field) => [field.key, field])),
    required: fields.filter(({ required }) => required).length,
  }
}

/** One pass over the keys that came; what is missing and what is extra is looked for only where the count says so. */
function checkFields(object: JsonObject, rules: FieldRules, departures: Departures): void {
  const { byKey, codes, messages } = rules
  let present = 0
  let extra = 0
  let names: string[] | null = null
  for (const key in object) {
    const rule = byKey.get(key)
    if (rule === undefined) {
      extra += 1
      if (extra <= mostFindings) (names ??= []).push(key)
      continue
    }
    const value = object[key]
    if (value === null) continue
    if (rule.required) present += 1
    if (!fits(rule.type, value)) {
      departures.add(codes.type, rule.place, messages.type, {
        expected: describeType(rule.type),
        actual: describeValueKind(value),
      })
    } else rule.look?.(value, rule.place, departures)
  }
  if (present < rules.required) tellMissing(object, rules, departures)
  if (names !== null) tellExtra(object, rules, names, extra, departures)
}

function tellMissing(object: JsonObject, rules: FieldRules, departures: Departures): void {
  for (const { key, type, place, required } of rules.byKey.values()) {
    if (!required) continue
    const isNull = Object.hasOwn(object, key)
    if (isNull && object[key] !== null) continue
    departures.add(rules.codes.missing, place, rules.messages.missing, {
      expected: describeType(type),
      actual: isNull ? 'null' : 'nothing',
    })
  }
}

/** `names`: the first of them, as many as may be told. */
function tellExtra(
  object: JsonObject,
  { place, codes, messages }: FieldRules,
  names: readonly string[],
  count: number,
  departures: Departures,
): void {
  for (const key of names) {
    departures.add(codes.extra, `${place}.${key}`, messages.extra, {
      actual: describeValueKind(object[key]),
    })
  }
  departures.addUntold(count - names.length)
}
