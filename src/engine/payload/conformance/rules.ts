import { eventTypes } from '#catalogue/catalogue.ts'
import { type DataField, type EventType, knownValues, type FieldType } from '#catalogue/define.ts'
import { commonFields, field as valueOf, type Payload } from '#catalogue/payload.ts'
import type { Header } from '#contract/models.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import {
  checkCustomHeaders,
  checkEventHeaders,
  checkSender,
  headerRules,
  type HeaderRules,
} from './header-rules.ts'
import { type FindingCollector, maxFindings } from './finding-collector.ts'
import { checkDuplicateKeys } from './duplicate-keys.ts'
import { planHeaders, type ReceivedHeaders } from './received-headers.ts'
import { describeValueKind, fits, describeType } from '#catalogue/field-type.ts'
import type { KnownCode } from '#catalogue/findings.ts'
import type { ParsedObject } from '../parse-body.ts'

/** ISO 8601 with date and time of day. The zone is optional (ISO 8601-1, section 5.4). */
const timestamp =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,20})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/

const utcWithMilliseconds = /\d\.\d{3}(?:Z|\+00:00)$/

/** With milliseconds, in UTC, and existing (API documentation, "Payload shape in a delivery"). */
export function isUtcWithMilliseconds(text: string): boolean {
  return utcWithMilliseconds.test(text) && isIsoTimestamp(text)
}

/** The date must exist: `Date.parse` would turn 30 February into 2 March. */
export function isIsoTimestamp(text: string): boolean {
  const date = timestamp.exec(text)?.[1]
  if (date === undefined) return false
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

const rule = ({ key, type, optional }: (typeof commonFields)[number]): FieldRule => ({
  key,
  type,
  location: `body.${key}`,
  required: !optional,
  ...(key === 'createdAt' ? { check: checkCreatedAt } : {}),
})

const rest = {
  location: 'body',
  codes: {
    missing: 'payload.field_missing',
    type: 'payload.field_type',
    extra: 'payload.field_extra',
  },
} as const

const commonRules = fieldRules(commonFields.map(rule), rest)

/** Without required `data`: the API documentation is contradictory for this type (OPEN_TAB). */
const commonRulesWithoutData = fieldRules(
  commonFields.map((field) =>
    field.key === 'data' ? { ...rule(field), required: false } : rule(field),
  ),
  rest,
)

function checkCreatedAt(value: unknown, location: string, findings: FindingCollector): void {
  if (typeof value !== 'string' || isUtcWithMilliseconds(value)) return
  findings.add('payload.created_at', location, {
    expected: 'such as 2026-03-14T21:00:00.123Z',
    actual: value,
  })
}

interface TypeRules {
  readonly eventType: EventType
  readonly common: FieldRules
  readonly data: FieldRules
}

export interface EndpointRules {
  readonly headers: HeaderRules
  readonly types: ReadonlyMap<string, TypeRules>
}

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

/** For a complete request; `payload` is null if the body is not an object. */
export function checkHeaders(
  { headers }: EndpointRules,
  received: ReceivedHeaders,
  payload: Payload | null,
  findings: FindingCollector,
): void {
  if (payload) checkEventHeaders(headers, payload, received, findings)
  checkSender(headers, received, findings)
  checkCustomHeaders(headers.plan.custom, received, findings)
}

/** For a complete body. If the API documentation does not list its type, only the common rules apply. */
export function checkBody(
  { types }: EndpointRules,
  { payload, text }: ParsedObject,
  findings: FindingCollector,
): void {
  const { type, data } = payload
  const rules = typeof type === 'string' ? types.get(type) : undefined
  checkDuplicateKeys(text, payload, findings)
  checkFields(payload, rules?.common ?? commonRules, findings)
  if (!rules) {
    if (typeof type === 'string') {
      findings.add('payload.unknown_type', 'body.type', { actual: type })
    }
    return
  }
  checkTargets(rules.eventType, payload, findings)
  if (isObject(data)) checkFields(data, rules.data, findings)
}

/** Which of targetUuid and targetId the type has (API documentation, "Event catalogue"). Null and empty count as missing. */
function checkTargets(
  { target }: EventType,
  { targetUuid, targetId }: Payload,
  findings: FindingCollector,
): void {
  const hasUuid = isPresent(targetUuid)
  const hasId = isPresent(targetId)
  if (target.uuid !== null && !hasUuid) {
    findings.add('target.uuid_missing', 'body.targetUuid', {
      expected: `the ${target.uuid}`,
      actual: describeMissing(targetUuid),
    })
  }
  if (target.id !== null && !hasId) {
    findings.add('target.id_missing', 'body.targetId', {
      expected: `the ${target.id}`,
      actual: describeMissing(targetId),
    })
  }
  if (target.uuid === null && hasUuid) {
    findings.add('target.uuid_unexpected', 'body.targetUuid', {
      expected: 'none',
      actual: describe(targetUuid),
    })
  }
  if (target.id === null && hasId) {
    findings.add('target.id_unexpected', 'body.targetId', {
      expected: 'none',
      actual: describe(targetId),
    })
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function describeMissing(value: unknown): string {
  return value === undefined ? 'nothing' : value === null ? 'null' : 'an empty text'
}

function describe(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : describeValueKind(value)
}

/**
 * Rules for `data` of a type (API documentation, "Event catalogue"). Where the documentation is contradictory (OPEN_TAB), no field is required: empty,
 * absent and filled are all valid.
 */
function dataRules({ hasData, data }: EventType, brand: string): FieldRules {
  const rule = (field: DataField): FieldRule => {
    const check = valueCheck(field, brand)
    return {
      key: field.key,
      type: field.type,
      location: `body.data.${field.key}`,
      required: hasData === 'yes' && field.conditional !== true,
      ...(check ? { check } : {}),
    }
  }
  return fieldRules(data.map(rule), {
    location: 'body.data',
    codes: { missing: 'data.field_missing', type: 'data.field_type', extra: 'data.field_extra' },
  })
}

function valueCheck(field: DataField, brand: string): FieldRule['check'] {
  const known = knownValues(field, brand)
  if (known.length > 0)
    return (value, location, findings) => checkKnown(known, value, location, findings)
  const { inside } = field
  if (inside) {
    return (value, location, findings) => {
      const inner = valueOf(value, inside.key)
      if (inner !== undefined)
        checkKnown(inside.known, inner, `${location}.${inside.key}`, findings)
    }
  }
  return field.format === 'time' ? checkTime : undefined
}

function checkKnown(
  known: readonly string[],
  value: unknown,
  location: string,
  findings: FindingCollector,
): void {
  if (typeof value === 'string' && known.includes(value)) return
  findings.add('data.value_new', location, {
    expected: known.join(' or '),
    actual: typeof value === 'string' ? value : describeValueKind(value),
  })
}

function checkTime(value: unknown, location: string, findings: FindingCollector): void {
  if (typeof value !== 'string' || isIsoTimestamp(value)) return
  findings.add('data.time', location, {
    expected: 'such as 2026-03-14T21:00:00.123Z',
    actual: value,
  })
}

interface FieldRule {
  readonly key: string
  readonly type: FieldType
  readonly location: string
  /** False: it may be missing or null. */
  readonly required: boolean
  /** For a value of the right type; absent: every value is valid. */
  readonly check?: (value: unknown, location: string, findings: FindingCollector) => void
}

interface FieldRules {
  readonly byKey: ReadonlyMap<string, FieldRule>
  readonly required: number
  /** Of the object: `body`, `body.data`. */
  readonly location: string
  readonly codes: {
    readonly missing: KnownCode
    readonly type: KnownCode
    readonly extra: KnownCode
  }
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

function checkFields(object: JsonObject, rules: FieldRules, findings: FindingCollector): void {
  const { byKey, codes } = rules
  let present = 0
  let extra = 0
  let names: string[] | null = null
  for (const key in object) {
    const rule = byKey.get(key)
    if (rule === undefined) {
      extra += 1
      if (extra <= maxFindings) (names ??= []).push(key)
      continue
    }
    const value = object[key]
    if (value === null) continue
    if (rule.required) present += 1
    if (!fits(rule.type, value)) {
      findings.add(codes.type, rule.location, {
        expected: describeType(rule.type),
        actual: describeValueKind(value),
      })
    } else rule.check?.(value, rule.location, findings)
  }
  if (present < rules.required) addMissing(object, rules, findings)
  if (names !== null) addExtra(object, rules, names, extra, findings)
}

function addMissing(object: JsonObject, rules: FieldRules, findings: FindingCollector): void {
  for (const { key, type, location, required } of rules.byKey.values()) {
    if (!required) continue
    const isNull = Object.hasOwn(object, key)
    if (isNull && object[key] !== null) continue
    findings.add(rules.codes.missing, location, {
      expected: describeType(type),
      actual: isNull ? 'null' : 'nothing',
    })
  }
}

function addExtra(
  object: JsonObject,
  { location, codes }: FieldRules,
  names: readonly string[],
  count: number,
  findings: FindingCollector,
): void {
  for (const key of names) {
    findings.add(codes.extra, `${location}.${key}`, {
      actual: describeValueKind(object[key]),
    })
  }
  findings.addUncounted(count - names.length)
}
