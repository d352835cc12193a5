import { isHarmlessKey, isIdentifier } from '#catalogue/harmless.ts'
import { isObject, parseJson } from '#shared/json/object.ts'
import { payloadBytes } from '../health/payload-fields.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import { readFilter } from '../search/read-filter.ts'
import { Pace } from '../search/scan.ts'

export type JsonKind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'

/** A place in payloads of one type. Plain data, since it passes between threads. */
export interface ObservedValue {
  count: number
  kinds: Partial<Record<JsonKind, number>>
  /** Texts that look like constants (`SERVER_TAB`). */
  constants: string[]
  fields: Record<string, ObservedValue>
  items: ObservedValue | null
}

/** By type. */
export type Observed = Record<string, ObservedValue>

/** In the place of keys that look like values, and of those beyond the limit. */
export const otherKeys = '*'

const maxTypes = 100
const maxKeys = 200
const maxItems = 200
const maxDepth = 12
const maxConstants = 20
const budgetMs = 50

function emptyValue(): ObservedValue {
  return { count: 0, kinds: {}, constants: [], fields: {}, items: null }
}

/** `masked`: only keys that an export would show. */
export function observe(observed: Observed, payload: unknown, masked: boolean): boolean {
  if (!isObject(payload) || typeof payload['type'] !== 'string') return false
  const { type } = payload
  if (!Object.hasOwn(observed, type)) {
    if (!isConstant(type) || Object.keys(observed).length >= maxTypes) return false
    observed[type] = emptyValue()
  }
  const value = observed[type]
  if (value) addValue(value, payload, masked ? isHarmlessKey : isIdentifier, 0)
  return true
}

function addValue(
  to: ObservedValue,
  value: unknown,
  isShown: (key: string) => boolean,
  depth: number,
): void {
  const kind = kindOf(value)
  to.count += 1
  to.kinds[kind] = (to.kinds[kind] ?? 0) + 1
  if (depth >= maxDepth) return
  if (typeof value === 'string') addConstants(to, [value])
  else if (Array.isArray(value)) {
    to.items ??= emptyValue()
    for (const item of value.slice(0, maxItems)) addValue(to.items, item, isShown, depth + 1)
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      // Every JavaScript object has these, so that a schema could not require their absence.
      const isNamed = !(key in Object.prototype) && isShown(key)
      addValue(fieldOf(to, isNamed ? key : otherKeys), value[key], isShown, depth + 1)
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

function isConstant(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{1,59}$/.test(text)
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
  for (const [kind, count] of Object.entries(from.kinds)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object with these keys
    const name = kind as JsonKind
    to.kinds[name] = (to.kinds[name] ?? 0) + count
  }
  addConstants(to, from.constants)
  for (const [key, field] of Object.entries(from.fields)) mergeValue(fieldOf(to, key), field)
  if (from.items) mergeValue((to.items ??= emptyValue()), from.items)
}

export interface ObserveQuery {
  readonly filter: string
  /** Milliseconds since the epoch, for times relative to now. */
  readonly asOf: number
  /** Only deliveries before this one; null: from the newest. */
  readonly before: number | null
  readonly limit: number
  readonly masked: boolean
}

export interface ObservedPart {
  readonly observed: Observed
  /** Payloads in `observed`. */
  readonly payloads: number
  /** Where the next query continues; null: everything was read. */
  readonly before: number | null
}

interface Row {
  readonly id: number
  readonly headers: string
  readonly body: Uint8Array | null
}

/**
 * The payloads of complete deliveries that match the filter, newest first, for at most 50 ms. Without those that Tabscope sent: they may be edited. Throws
 * `bad_filter`.
 */
export function readObserved(db: Db, query: ObserveQuery): ObservedPart {
  const { limit, masked, asOf } = query
  const filter = readFilter(db, query.filter, asOf)
  const range = prepare<[], { least: number; last: number }>(
    db,
    'SELECT coalesce(min(id), 1) AS least, coalesce(max(id), 0) AS last FROM delivery',
  ).get()
  const select = prepare<[Record<string, unknown>], Row>(
    db,
    `SELECT id, headers, body FROM delivery_content WHERE id IN
       (${filter.select('d.id')} AND d.arrival = 'complete' AND d.sent_by IS NULL)
     ORDER BY id DESC LIMIT @limit`,
  )
  const observed: Observed = {}
  let payloads = 0
  let next = query.before ?? (range?.last ?? 0) + 1
  const pace = new Pace(true)
  const deadline = performance.now() + budgetMs
  while (next > (range?.least ?? 1) && payloads < limit && performance.now() < deadline) {
    const hi = next - 1
    const lo = Math.max(range?.least ?? 1, next - pace.span)
    const rows = pace.measure(hi - lo + 1, () =>
      select.all({ ...filter.values, lo, hi, limit: limit - payloads }),
    )
    for (const row of rows) {
      const bytes = payloadBytes(row)
      const payload =
        bytes &&
        parseJson(
          Buffer.from(bytes)
            .toString()
            .replace(/^\u{FEFF}/u, ''),
        )
      if (payload && observe(observed, payload, masked)) payloads += 1
    }
    next = lo
  }
  return {
    observed,
    payloads,
    before: next > (range?.least ?? 1) && payloads < limit ? next : null,
  }
}
