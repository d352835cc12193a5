import { JsonParser, jsonToken, type JsonToken } from '#shared/json/tokenizer.ts'

export const jsonKinds = ['object', 'array', 'string', 'number', 'word'] as const
export type JsonKind = (typeof jsonKinds)[number]

/**
 * An index of JSON text (RFC 8259) as columns of numbers, with one entry per value in document order, parents before children. Two million
 * values take nine arrays and no objects, which keeps memory and garbage collection low.
 */
export interface JsonIndex {
  readonly text: string
  readonly count: number
  /** Index in `jsonKinds`. */
  readonly kinds: Uint8Array
  readonly depths: Int32Array
  /** The start of the key in the text, without quotes. -1 if there is none: then `keyTo` is the array index, or -1 for the root. */
  readonly keyFrom: Int32Array
  readonly keyTo: Int32Array
  /** The start and end of the value in the text. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** The index after the last descendant. */
  readonly ends: Int32Array
  readonly children: Int32Array
  /** False if the text has more values than the index may contain. */
  readonly complete: boolean
  /** The position of the first JSON error; null if the parsed part is valid. */
  readonly fault: number | null
}

/** Maximum number of indexed values. Each takes about 30 bytes. */
export const valuesMost = 2_000_000

function kindAt(token: JsonToken, code: number): number {
  if (token === jsonToken.objectOpen) return 0
  if (token === jsonToken.arrayOpen) return 1
  if (token === jsonToken.string) return 2
  return code === 0x74 || code === 0x66 || code === 0x6e ? 4 : 3
}

class Columns {
  count = 0
  kinds = new Uint8Array(256)
  depths = new Int32Array(256)
  keyFrom = new Int32Array(256)
  keyTo = new Int32Array(256)
  from = new Int32Array(256)
  to = new Int32Array(256)
  ends = new Int32Array(256)
  children = new Int32Array(256)

  grow(): void {
    const kinds = new Uint8Array(this.kinds.length * 2)
    kinds.set(this.kinds)
    this.kinds = kinds
    this.depths = grown(this.depths)
    this.keyFrom = grown(this.keyFrom)
    this.keyTo = grown(this.keyTo)
    this.from = grown(this.from)
    this.to = grown(this.to)
    this.ends = grown(this.ends)
    this.children = grown(this.children)
  }
}

/** Returns a copy of the array with twice the capacity. */
export function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/**
 * Indexes JSON text without recursion. Values are not converted: long numbers keep their digits, and duplicate keys are all present. Stops after
 * two million values or at the first error.
 */
export function jsonIndex(text: string): JsonIndex {
  const all = new Columns()
  const parser = new JsonParser(text, { strict: true })
  /** The indexes of the open containers. */
  let open = new Int32Array(64)
  let depth = 0
  let keyFrom = -1
  let keyTo = -1

  function ended(complete: boolean, fault: number | null): JsonIndex {
    for (let level = 0; level < depth; level++) {
      all.ends[open[level] ?? 0] = all.count
      all.to[open[level] ?? 0] = parser.from
    }
    const { count, kinds, depths, from, to, ends, children } = all
    const keys = { keyFrom: all.keyFrom, keyTo: all.keyTo }
    return { text, count, kinds, depths, ...keys, from, to, ends, children, complete, fault }
  }

  for (;;) {
    const token = parser.next()
    const parent = depth === 0 ? -1 : (open[depth - 1] ?? 0)
    if (token === jsonToken.end) return ended(true, null)
    if (token === jsonToken.other) return ended(depth === 0 && all.count > 0, parser.from)
    if (token === jsonToken.objectClose || token === jsonToken.arrayClose) {
      all.ends[parent] = all.count
      all.to[parent] = parser.to
      depth -= 1
    } else if (token === jsonToken.key) {
      keyFrom = parser.from + 1
      keyTo = parser.to - 1
    } else if (all.count >= valuesMost) {
      return ended(false, null)
    } else {
      const index = all.count
      if (index === all.kinds.length) all.grow()
      all.count += 1
      const inArray = parent >= 0 && all.kinds[parent] === 1
      all.kinds[index] = kindAt(token, text.charCodeAt(parser.from))
      all.depths[index] = depth
      all.keyFrom[index] = keyFrom
      all.keyTo[index] = keyFrom >= 0 ? keyTo : inArray ? (all.children[parent] ?? 0) : -1
      all.from[index] = parser.from
      all.to[index] = parser.to
      all.ends[index] = index + 1
      if (parent >= 0) all.children[parent] = (all.children[parent] ?? 0) + 1
      keyFrom = -1
      if (token === jsonToken.objectOpen || token === jsonToken.arrayOpen) {
        if (depth === open.length) open = grown(open)
        open[depth] = index
        depth += 1
      }
    }
  }
}

export function kindOf(json: JsonIndex, index: number): JsonKind {
  return jsonKinds[json.kinds[index] ?? 0] ?? 'object'
}

/** The key as written, without quotes; the index in an array; null for the root. */
export function keyOf(json: JsonIndex, index: number): string | number | null {
  const from = json.keyFrom[index] ?? -1
  const to = json.keyTo[index] ?? -1
  if (from >= 0) return json.text.slice(from, to)
  return to < 0 ? null : to
}

/** The source text of a value, at most `length` characters. */
export function sourceOf(json: JsonIndex, index: number, length = Infinity): string {
  const from = json.from[index] ?? 0
  return json.text.slice(from, Math.min(json.to[index] ?? from, from + length))
}

/** The ancestors of a value, outermost first. */
export function ancestors(json: JsonIndex, index: number): number[] {
  const above: number[] = []
  if (index >= json.count) return above
  for (let at = index - 1, depth = json.depths[index] ?? 0; at >= 0 && depth > 0; at--) {
    if ((json.depths[at] ?? 0) < depth) {
      above.push(at)
      depth = json.depths[at] ?? 0
    }
  }
  return above.toReversed()
}
