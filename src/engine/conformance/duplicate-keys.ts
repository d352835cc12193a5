import { findingStep } from '#shared/json/path.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { JsonParser, jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import type { Departures } from './departures.ts'

/** Paths told of one body; more of them say nothing new. */
const mostPaths = 3

/**
 * Finds keys that come twice in one object, at any depth (RFC 8259, 4: readers differ on which counts). Counting the pairs in the text and
 * in what was parsed is cheap, and only where they differ is it looked for where. `text` must be JSON, and `parsed` what it says.
 */
export function checkDuplicateKeys(text: string, parsed: JsonObject, departures: Departures): void {
  const keys = keysIn(parsed)
  // The first count is never too low, only too high where a text holds ` :` or `":`. So where it is equal, that settles it.
  if (likelyPairs(text) === keys || pairs(text) === keys) return
  for (const path of findDuplicates(text)) {
    departures.add(
      'body.duplicate_key',
      `body${path}`,
      'This key comes more than once in its object. Most parsers keep the last value, some the first, some refuse.',
    )
  }
}

/** Colons that may follow a key, since they are behind a quotation mark or white space. */
function likelyPairs(text: string): number {
  let count = 0
  for (let i = text.indexOf(':'); i !== -1; i = text.indexOf(':', i + 1)) {
    const before = text.charCodeAt(i - 1)
    if (before === quote || before <= space) count += 1
  }
  return count
}

const quote = 0x22
const space = 0x20

/** Pairs of key and value: colons outside of strings. */
function pairs(text: string): number {
  const tokens = new JsonTokenizer(text)
  let count = 0
  for (let kind = tokens.next(); kind !== jsonToken.end; kind = tokens.next()) {
    if (kind === jsonToken.colon) count += 1
  }
  return count
}

/** Keys of all objects in a value. What lies deeper than calls can go waits on a stack. */
function keysIn(parsed: JsonObject): number {
  const deeper: object[] = []
  let keys = keysWithin(parsed, 0, deeper)
  for (let next = deeper.pop(); next !== undefined; next = deeper.pop()) {
    keys += keysWithin(next, 0, deeper)
  }
  return keys
}

const deepest = 100

function keysWithin(value: object, depth: number, deeper: object[]): number {
  if (depth === deepest) {
    deeper.push(value)
    return 0
  }
  let keys = 0
  if (Array.isArray(value)) {
    for (const one of value) {
      if (typeof one === 'object' && one !== null) keys += keysWithin(one, depth + 1, deeper)
    }
  } else if (isObject(value)) {
    for (const key in value) {
      keys += 1
      const one = value[key]
      if (typeof one === 'object' && one !== null) keys += keysWithin(one, depth + 1, deeper)
    }
  }
  return keys
}

/** An object or array that is open at a place in the text. */
interface Open {
  /** Keys so far; null: it is an array. */
  readonly keys: Set<string> | null
  /** The key or index of what was read last. */
  at: string | number
}

/** Paths of keys that came before in the same object, as `.data.total` or `.data.tags[3].name`. */
function findDuplicates(text: string): readonly string[] {
  const found: string[] = []
  const open: Open[] = []
  const parser = new JsonParser(text)
  for (let kind = parser.next(); kind <= jsonToken.literal; kind = parser.next()) {
    if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) {
      open.pop()
      continue
    }
    const inner = open.at(-1)
    if (kind === jsonToken.key) {
      const key = unescaped(text.slice(parser.from + 1, parser.to - 1))
      if (!inner?.keys) continue
      inner.at = key
      if (inner.keys.has(key)) {
        found.push(pathOf(open))
        if (found.length === mostPaths) return found
      }
      inner.keys.add(key)
      continue
    }
    if (inner && typeof inner.at === 'number') inner.at += 1
    if (kind === jsonToken.objectOpen) open.push({ keys: new Set(), at: '' })
    else if (kind === jsonToken.arrayOpen) open.push({ keys: null, at: -1 })
  }
  return found
}

/** Two keys are the same when their characters are, however they are escaped (RFC 8259, 8.3). */
function unescaped(raw: string): string {
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw
}

/** Of a body nested without end only the outer part: a place is cut anyway. */
function pathOf(open: readonly Open[]): string {
  return open
    .slice(0, 130)
    .map(({ at }) => findingStep(at))
    .join('')
}
