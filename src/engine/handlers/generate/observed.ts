import { isHarmlessKey } from '#catalogue/harmless.ts'
import type { JsonKind } from '#contract/deliveries.ts'
import { isObject } from '#shared/json/object.ts'

/** A place in payloads of one type. Plain data, since it passes between threads. */
export interface ObservedValue {
  count: number
  kinds: Partial<Record<JsonKind, number>>
  isMasked: boolean
  /** Texts that look like constants (`SERVER_TAB`). */
  constants: string[]
  fields: Record<string, ObservedValue>
  items: ObservedValue | null
}

export type Observed = Record<string, ObservedValue>

/** In the place of keys that are in every JavaScript object, and of those beyond the limit. */
export const otherKeys = '*'

const maxTypes = 100
const maxKeys = 200
const maxItems = 200
const maxDepth = 12
const maxConstants = 20

export function emptyValue(): ObservedValue {
  return { count: 0, kinds: {}, isMasked: false, constants: [], fields: {}, items: null }
}

/** Null: it is not known what an export masked. */
type OriginalKey = (key: string) => string | null

/**
 * `payload`: masked as in an export. `originalKey`: of its masked keys, without it none is masked. False: it is not of a type that is shown, or the limit of
 * types is reached.
 */
export function observe(observed: Observed, payload: unknown, originalKey?: OriginalKey): boolean {
  if (!isObject(payload) || typeof payload['type'] !== 'string') return false
  const { type } = payload
  if (!Object.hasOwn(observed, type)) {
    if (!isConstant(type) || Object.keys(observed).length >= maxTypes) return false
    observed[type] = emptyValue()
  }
  const value = observed[type]
  if (value) addValue(value, payload, 0, originalKey)
  return true
}

function addValue(
  to: ObservedValue,
  value: unknown,
  depth: number,
  originalKey?: OriginalKey,
): void {
  const kind = kindOf(value)
  to.count += 1
  to.kinds[kind] = (to.kinds[kind] ?? 0) + 1
  if (depth >= maxDepth) return
  if (typeof value === 'string') addConstants(to, [value])
  else if (Array.isArray(value)) {
    to.items ??= emptyValue()
    for (const item of value.slice(0, maxItems)) addValue(to.items, item, depth + 1, originalKey)
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const name = originalKey ? originalKey(key) : key
      // Every JavaScript object has these, so that a schema could not require their absence.
      const isNamed = name !== null && !(name in Object.prototype)
      const field = fieldOf(to, isNamed ? name : otherKeys)
      if (originalKey && !isHarmlessKey(name ?? '')) field.isMasked = true
      addValue(field, value[key], depth + 1, originalKey)
    }
  }
}

function fieldOf({ fields }: ObservedValue, key: string): ObservedValue {
  const known = Object.hasOwn(fields, key) || Object.keys(fields).length < maxKeys
  const name = known ? key : otherKeys
  if (!Object.hasOwn(fields, name)) fields[name] = emptyValue()
  return fields[name] ?? emptyValue()
}

function addConstants(to: ObservedValue, texts: readonly string[]): void {
  for (const text of texts) {
    if (to.constants.length >= maxConstants || to.constants.includes(text)) continue
    if (isConstant(text)) to.constants.push(text)
  }
}

/** A text of X and 0 alone is a mask. */
function isConstant(text: string): boolean {
  return /^(?!X[X0_]{1,59}$)[A-Z][A-Z0-9_]{1,59}$/.test(text)
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}

export function mergeObserved(to: Observed, from: Observed): void {
  for (const [type, value] of Object.entries(from)) {
    if (!Object.hasOwn(to, type)) to[type] = emptyValue()
    const known = to[type]
    if (known) mergeValue(known, value)
  }
}

/** Adds what `from` has to `to`. */
export function mergeValue(to: ObservedValue, from: ObservedValue): void {
  to.count += from.count
  to.isMasked ||= from.isMasked
  for (const [kind, count] of Object.entries(from.kinds)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object with these keys
    const name = kind as JsonKind
    to.kinds[name] = (to.kinds[name] ?? 0) + count
  }
  addConstants(to, from.constants)
  for (const [key, field] of Object.entries(from.fields)) mergeValue(fieldOf(to, key), field)
  if (from.items) mergeValue((to.items ??= emptyValue()), from.items)
}
