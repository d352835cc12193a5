import type { FieldType } from '#catalogue/define.ts'
import { fits, describeValueKind, describeType } from '#catalogue/field-type.ts'
import type { KnownCode } from '#catalogue/finding-codes.ts'
import type { JsonObject } from '../capture/json-object.ts'
import { mostFindings, type Departures } from './departures.ts'

/** One field that the document lists. */
export interface FieldRule {
  readonly key: string
  readonly type: FieldType
  readonly place: string
  /** False: its absence, or null for it, is no finding. */
  readonly required: boolean
  /** Looks at a value of the right type; absent: every one will do. */
  readonly look?: (value: unknown, place: string, departures: Departures) => void
}

/** The fields of an object, by their keys. */
export interface FieldRules {
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

export function fieldRules(
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
export function checkFields(object: JsonObject, rules: FieldRules, departures: Departures): void {
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
