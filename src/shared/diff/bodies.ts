import { childPath } from '../json/path.ts'
import { isObject, type JsonObject } from '../json/object.ts'
import { diffArrays } from 'diff'
import { diffLines, type LineChange } from './lines.ts'

export interface BodyDiff {
  readonly equal: boolean
  /** `json` if both are JSON, `text` if both are text whose lines were compared. */
  readonly as: 'json' | 'text' | 'bytes'
  readonly bytes: readonly [before: number, after: number]
  readonly firstDifference: number | null
  /** For JSON. Empty although the bodies differ: only the notation differs. */
  readonly values: readonly ValueChange[]
  /** For text, or equal JSON in another notation: all lines. */
  readonly lines: readonly LineChange[]
}

/** Values are JSON with sorted keys. */
export interface ValueChange {
  /** `data.items[3].price`; empty for the document itself. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  readonly before: string | null
  readonly after: string | null
}

/** Larger bodies are compared only by their bytes. */
export const maxComparedBytes = 5 * 1024 * 1024
/** Of the search for the shortest difference: edits, and milliseconds. */
const limits = { maxEditLength: 2000, timeout: 400 }

/** By value if both are JSON, by line if both are text, else by byte. `textOf` decodes UTF-8; null for anything else. */
export function diffBodies(
  before: Uint8Array,
  after: Uint8Array,
  textOf: (body: Uint8Array) => string | null,
): BodyDiff {
  const firstDifference = differenceAt(before, after)
  const equal = firstDifference === null
  const comparable = Math.max(before.byteLength, after.byteLength) <= maxComparedBytes
  const old = comparable ? textOf(before) : null
  const fresh = comparable ? textOf(after) : null
  const values = old === null || fresh === null ? null : jsonChanges(old, fresh)
  const comparesLines = old !== null && fresh !== null && !equal && !values?.length
  const lines = comparesLines ? diffLines(old, fresh) : []
  const isText = old !== null && fresh !== null && lines !== null
  return {
    equal,
    as: values !== null ? 'json' : isText ? 'text' : 'bytes',
    bytes: [before.byteLength, after.byteLength],
    firstDifference,
    values: values ?? [],
    lines: lines ?? [],
  }
}

function differenceAt(before: Uint8Array, after: Uint8Array): number | null {
  const shorter = Math.min(before.byteLength, after.byteLength)
  let at = 0
  while (at < shorter && before[at] === after[at]) at += 1
  return at === shorter && before.byteLength === after.byteLength ? null : at
}

/** Null if a text is not JSON or is nested too deeply. */
function jsonChanges(before: string, after: string): ValueChange[] | null {
  try {
    return new Comparison().run(parseExact(before), parseExact(after))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

/** More digits than a double holds, as written. */
class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Throws `SyntaxError`, and `RangeError` for a text that is nested too deeply. */
function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? ''
    return typeof value === 'number' && source.replaceAll(/\D/g, '').length > 15
      ? new ExactNumber(source)
      : value
  })
}

class Comparison {
  readonly #changes: ValueChange[] = []

  run(before: unknown, after: unknown): ValueChange[] {
    this.#compare(before, after, '')
    return this.#changes
  }

  #compare(before: unknown, after: unknown, path: string): void {
    if (Array.isArray(before) && Array.isArray(after)) this.#compareArrays(before, after, path)
    else if (isPlainObject(before) && isPlainObject(after)) {
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const at = childPath(path, key)
        if (!Object.hasOwn(after, key)) this.#removed(at, before[key])
        else if (!Object.hasOwn(before, key)) this.#added(at, after[key])
        else this.#compare(before[key], after[key], at)
      }
    } else {
      const texts = { before: jsonText(before), after: jsonText(after) }
      if (texts.before !== texts.after) this.#changes.push({ path, change: 'changed', ...texts })
    }
  }

  /** Arrays of the same length are compared by position, others by the elements between equal ones. */
  #compareArrays(before: unknown[], after: unknown[], path: string): void {
    let [a, b] = [0, 0]
    const compareUpTo = (endA: number, endB: number): void => {
      for (; a < endA || b < endB; a += 1, b += 1) {
        if (a >= endA) this.#added(childPath(path, b), after[b])
        else if (b >= endB) this.#removed(childPath(path, a), before[a])
        else this.#compare(before[a], after[b], childPath(path, b))
      }
      ;[a, b] = [endA, endB]
    }
    let [nextA, nextB] = [0, 0]
    for (const { added, removed, count } of alignment(before, after)) {
      if (!added && !removed) {
        compareUpTo(nextA, nextB)
        a = nextA += count
        b = nextB += count
      } else if (added) nextB += count
      else nextA += count
    }
    compareUpTo(before.length, after.length)
  }

  #added(path: string, value: unknown): void {
    this.#changes.push({ path, change: 'added', before: null, after: jsonText(value) })
  }

  #removed(path: string, value: unknown): void {
    this.#changes.push({ path, change: 'removed', before: jsonText(value), after: null })
  }
}

function alignment(before: unknown[], after: unknown[]) {
  if (before.length === after.length) return []
  return diffArrays(before.map(jsonText), after.map(jsonText), limits) ?? []
}

function isPlainObject(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof ExactNumber)
}

function jsonText(value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isPlainObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${jsonText(value[key])}`)
  return `{${members.join(',')}}`
}
