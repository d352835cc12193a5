import { createHash } from 'node:crypto'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { idKindOf, isIdKey } from '#catalogue/ids.ts'
import { JsonParser, jsonToken } from '#shared/json/tokenizer.ts'

interface Scalar {
  readonly from: number
  readonly to: number
  /** Such as `data.tabUuid`; empty within a list, or deeper than any documented field. */
  readonly place: string
  readonly key: string
}

/** Deeper than any field of the catalogue. */
const maxDepth = 3
const byteOrderMark = '\u00EF\u00BB\u00BF'
const maxLength = 300

/** `text`: a valid JSON body as Latin-1, so that positions are byte offsets. */
function* scalarsOf(text: string): Generator<Scalar, void, undefined> {
  const parser = new JsonParser(text, {}, text.startsWith(byteOrderMark) ? 3 : 0)
  /** The current key of each open object; null for a list. */
  const keys: (string | null)[] = []
  for (;;) {
    const kind = parser.next()
    switch (kind) {
      case jsonToken.end:
      case jsonToken.other:
        return
      case jsonToken.objectOpen:
      case jsonToken.arrayOpen:
        keys.push(kind === jsonToken.objectOpen ? '' : null)
        break
      case jsonToken.objectClose:
      case jsonToken.arrayClose:
        keys.pop()
        break
      case jsonToken.key:
        keys[keys.length - 1] = stringOf(parser.source)
        break
      default: {
        const { from, to } = parser
        if (to - from > maxLength) break
        const isDocumentable = keys.length <= maxDepth && !keys.includes(null)
        yield { from, to, place: isDocumentable ? keys.join('.') : '', key: keys.at(-1) ?? '' }
      }
    }
  }
}

function stringOf(source: string): string {
  const value: unknown = JSON.parse(Buffer.from(source, 'latin1').toString())
  return String(value)
}

/** The ID in a string or a whole number; null: there is none. */
function idOf(text: string, { from, to }: Scalar): string | null {
  const source = text.slice(from, to)
  if (source.startsWith('"')) return stringOf(source) || null
  return /^[1-9]\d{0,40}$/.test(source) ? source : null
}

/** Adds the documented IDs of orders, tabs, items and guests to `found`. */
export function collectIds(body: Uint8Array, type: string | null, found: Set<string>): void {
  const text = Buffer.from(body).toString('latin1')
  for (const scalar of scalarsOf(text)) {
    if (idKindOf(type, scalar.place) !== 'instance') continue
    const id = idOf(text, scalar)
    if (id !== null) found.add(id)
  }
}

/** A new ID for each, of the same form. The same seed and IDs give the same result. */
export function replaceIds(ids: ReadonlySet<string>, seed: number): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>()
  const used = new Set<string>()
  for (const id of ids) {
    const next = unusedId(id, seed, used, ids)
    used.add(next)
    replaced.set(id, next)
  }
  return replaced
}

/** Pseudorandom hexadecimal digits that depend only on the name. */
export function createDigits(name: string): (length: number) => string {
  let counter = 0
  let rest = ''
  return (length) => {
    while (rest.length < length) {
      rest += createHash('sha256').update(`${name}:${counter}`).digest('hex')
      counter += 1
    }
    const digits = rest.slice(0, length)
    rest = rest.slice(length)
    return digits
  }
}

const maxTries = 1000
/** Of short IDs, nearly all may be in use by the scenario: after this many tries, one of those is accepted. */
const fresh = 100

/** Never one that `used` has, because two orders would become one; `id` itself if there is no other. */
function unusedId(
  id: string,
  seed: number,
  used: ReadonlySet<string>,
  captured: ReadonlySet<string>,
): string {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const next = sameForm(id, createDigits(`${seed}:${tries}:${id}`))
    if (!used.has(next) && (tries >= fresh || !captured.has(next))) return next
  }
  return id
}

const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Digits stay digits and letters letters, hexadecimal ones if all are. A UUID keeps its version and variant, and a number its length. */
function sameForm(id: string, random: (length: number) => string): string {
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(id)
  const lower = /[g-z]/i.test(id) ? letters : letters.slice(0, 6)
  const pick = (from: string): string => from[Number.parseInt(random(4), 16) % from.length] ?? ''
  return Array.from(id, (character, at) => {
    if (isUuid && (at === 14 || at === 19)) return character
    if (/\d/.test(character)) return pick(at === 0 && character !== '0' ? digits.slice(1) : digits)
    if (/[a-z]/.test(character)) return pick(lower)
    return /[A-Z]/.test(character) ? pick(lower).toUpperCase() : character
  }).join('')
}

export interface Rewriting {
  readonly ids: ReadonlyMap<string, string>
  /** Milliseconds since the epoch. */
  readonly shift: (time: number) => number
}

/**
 * The body with new IDs and shifted times; all other bytes stay. IDs of what is configured stay, and so do undocumented ones, unless a documented field of
 * the scenario has the same ID.
 */
export function rewriteBody(
  body: Uint8Array,
  type: string | null,
  { ids, shift }: Rewriting,
): Uint8Array {
  const text = Buffer.from(body).toString('latin1')
  const parts: string[] = []
  let copied = 0
  for (const scalar of scalarsOf(text)) {
    const source = text.slice(scalar.from, scalar.to)
    const next = isTime(type, scalar.place)
      ? shiftedTime(source, shift)
      : replacedId(source, idOf(text, scalar), isReplaceable(type, scalar), ids)
    if (next === source) continue
    parts.push(text.slice(copied, scalar.from), next)
    copied = scalar.to
  }
  if (parts.length === 0) return body
  return Buffer.from(parts.join('') + text.slice(copied), 'latin1')
}

function isReplaceable(type: string | null, { place, key }: Scalar): boolean {
  const kind = idKindOf(type, place)
  return kind === 'instance' || (kind === null && isIdKey(key))
}

function replacedId(
  source: string,
  id: string | null,
  isReplaceable: boolean,
  ids: Rewriting['ids'],
): string {
  const next = isReplaceable && id !== null ? ids.get(id) : undefined
  if (next === undefined || next === id) return source
  return source.startsWith('"') ? Buffer.from(JSON.stringify(next)).toString('latin1') : next
}

function isTime(type: string | null, place: string): boolean {
  if (place === 'createdAt') return true
  return (
    eventTypeOf(type)?.data.some(
      ({ key, format }) => format === 'time' && place === `data.${key}`,
    ) ?? false
  )
}

const isoTime = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))"$/

/** With the same number of decimals and the same offset. What is not ISO 8601 stays. */
function shiftedTime(source: string, shift: (time: number) => number): string {
  const [whole, decimals = '', sign, hours, minutes] = isoTime.exec(source) ?? []
  const time = Date.parse(source.slice(1, -1))
  if (whole === undefined || Number.isNaN(time)) return source
  const offset =
    (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -60_000 : 60_000)
  const next = new Date(Math.round(shift(time)) + offset)
  // A year of more than four digits has another form.
  if (!(next.getTime() >= 0 && next.getUTCFullYear() <= 9999)) return source
  const text = next.toISOString()
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
  const fraction =
    decimals === '' ? '' : text.slice(19, 23).padEnd(decimals.length, '0').slice(0, decimals.length)
  return `"${text.slice(0, 19)}${fraction}${zone}"`
}
