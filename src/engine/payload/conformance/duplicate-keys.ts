import { findingStep } from '#shared/json/path.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { JsonParser, jsonToken } from '#shared/json/tokenizer.ts'
import type { FindingCollector } from './finding-collector.ts'

const maxPaths = 3

/**
 * Reports keys that occur twice in one object, at any depth (RFC 8259, section 4: parsers differ on which one counts). First compares the number of
 * pairs in the text with that in the parsed value, which is cheap; only if they differ, it determines the paths. `text` must be valid JSON.
 */
export function checkDuplicateKeys(
  text: string,
  parsed: JsonObject,
  findings: FindingCollector,
): void {
  // The first count is too high if a string contains ` :` or `":`, which is rare.
  if (likelyPairs(text) === keysIn(parsed)) return
  for (const path of findDuplicates(text)) {
    findings.add('body.duplicate_key', `body${path}`)
  }
}

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

/** Uses a stack for very deep values, whose recursion would overflow. */
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
    for (const item of value) {
      if (typeof item === 'object' && item !== null) keys += keysWithin(item, depth + 1, deeper)
    }
  } else if (isObject(value)) {
    for (const key in value) {
      keys += 1
      const child = value[key]
      if (typeof child === 'object' && child !== null) keys += keysWithin(child, depth + 1, deeper)
    }
  }
  return keys
}

interface Open {
  readonly keys: Set<string> | null
  at: string | number
}

/** Such as `.data.total` or `.data.tags[3].name`. */
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
        if (found.length === maxPaths) return found
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

/** Two keys are equal if their characters are, regardless of escapes (RFC 8259, section 8.3). */
function unescaped(raw: string): string {
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw
}

/** Only the outer part of very deep bodies: locations are truncated anyway. */
function pathOf(open: readonly Open[]): string {
  return open
    .slice(0, 130)
    .map(({ at }) => findingStep(at))
    .join('')
}
