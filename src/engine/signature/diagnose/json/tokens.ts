import type { Work } from '../time-budget.ts'

/** What a token is. Commas and colons are none: they follow from the others. */
export const kinds = {
  objectOpen: 0,
  objectClose: 1,
  arrayOpen: 2,
  arrayClose: 3,
  key: 4,
  string: 5,
  /** Number, true, false or null. */
  literal: 6,
} as const

/**
 * A JSON text as flat lists of tokens, without a value made of it: 13 bytes a token, so that a large body costs little memory, and
 * numbers and strings stay written as they came.
 */
export interface JsonTokens {
  readonly source: Buffer
  readonly count: number
  readonly kind: Uint8Array
  /** Where the token begins and ends in the source. */
  readonly start: Uint32Array
  readonly end: Uint32Array
  /** For the opening of an object or array: the index of its closing. */
  readonly close: Uint32Array
}

/** Why there are no tokens. `open`: the text ends too early, and these bytes would end it. */
export type JsonFault =
  | { readonly fault: 'too_large' | 'no_json' }
  | { readonly fault: 'open'; readonly closers: string }

const sourceLimit = 64 * 1024 * 1024
const tokenLimit = 2_000_000

const quote = 0x22
const backslash = 0x5c
const literals = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
/** Longer, it is no number that anybody writes. */
const literalLimit = 400

function grown<T extends Uint8Array | Uint32Array>(list: T, bigger: T): T {
  bigger.set(list)
  return bigger
}

class Lists {
  count = 0
  kind = new Uint8Array(1024)
  start = new Uint32Array(1024)
  end = new Uint32Array(1024)
  close = new Uint32Array(1024)

  push(kind: number, start: number, end: number): void {
    if (this.count === this.kind.length) this.#grow()
    this.kind[this.count] = kind
    this.start[this.count] = start
    this.end[this.count] = end
    this.count += 1
  }

  #grow(): void {
    const size = this.count * 2
    this.kind = grown(this.kind, new Uint8Array(size))
    this.start = grown(this.start, new Uint32Array(size))
    this.end = grown(this.end, new Uint32Array(size))
    this.close = grown(this.close, new Uint32Array(size))
  }
}

/** Reads a JSON text (RFC 8259), iteratively, whatever its depth. Pauses as `work` asks it to. */
export async function tokenise(source: Buffer, work: Work): Promise<JsonTokens | JsonFault> {
  if (source.byteLength > sourceLimit) return { fault: 'too_large' }
  const lists = new Lists()
  /** Indexes of the openings that are not closed yet. */
  const open: number[] = []
  let at = 0
  /** What may come: a value, a key, a colon, or what follows a value. `first`: the container may end here. */
  let want: 'value' | 'key' | 'colon' | 'after' = 'value'
  let first = false

  const closersNow = (): string =>
    open
      .toReversed()
      .map((index) => (lists.kind[index] === kinds.objectOpen ? '}' : ']'))
      .join('')

  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 0 && work.due) await work.breathe()
    while (isSpace(source[at])) at += 1
    const byte = source[at]
    if (byte === undefined) {
      if (open.length === 0 && want === 'after') break
      return open.length > 0 && want === 'after'
        ? { fault: 'open', closers: closersNow() }
        : { fault: 'no_json' }
    }
    if (lists.count >= tokenLimit) return { fault: 'too_large' }
    const closes = byte === 0x7d || byte === 0x5d
    if (closes && (want === 'after' || (first && want !== 'colon'))) {
      const index = open.pop()
      const isObject = index !== undefined && lists.kind[index] === kinds.objectOpen
      if (index === undefined || isObject !== (byte === 0x7d)) return { fault: 'no_json' }
      lists.close[index] = lists.count
      lists.push(isObject ? kinds.objectClose : kinds.arrayClose, at, at + 1)
      at += 1
      want = 'after'
      first = false
      continue
    }
    if (want === 'after') {
      const container = open.at(-1)
      if (byte !== 0x2c || container === undefined) return { fault: 'no_json' }
      want = lists.kind[container] === kinds.objectOpen ? 'key' : 'value'
      first = false
      at += 1
      continue
    }
    if (want === 'colon') {
      if (byte !== 0x3a) return { fault: 'no_json' }
      want = 'value'
      at += 1
      continue
    }
    first = false
    if (byte === quote) {
      const end = stringEnd(source, at)
      if (end === -1) {
        return open.length > 0 && want === 'value'
          ? { fault: 'open', closers: `"${closersNow()}` }
          : { fault: 'no_json' }
      }
      lists.push(want === 'key' ? kinds.key : kinds.string, at, end)
      at = end
      want = want === 'key' ? 'colon' : 'after'
      continue
    }
    if (want === 'key') return { fault: 'no_json' }
    if (byte === 0x7b || byte === 0x5b) {
      open.push(lists.count)
      lists.push(byte === 0x7b ? kinds.objectOpen : kinds.arrayOpen, at, at + 1)
      want = byte === 0x7b ? 'key' : 'value'
      first = true
      at += 1
      continue
    }
    const end = literalEnd(source, at)
    if (!literals.test(source.toString('latin1', at, end))) return { fault: 'no_json' }
    lists.push(kinds.literal, at, end)
    at = end
    want = 'after'
  }
  const { count, kind, start, end, close } = lists
  return { source, count, kind, start, end, close }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Behind the closing quote; -1: there is none. */
function stringEnd(source: Buffer, from: number): number {
  for (let at = from + 1; ;) {
    const end = source.indexOf(quote, at)
    if (end === -1) return -1
    let slashes = 0
    while (source[end - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

function literalEnd(source: Buffer, from: number): number {
  let end = from
  while (end < source.byteLength && end - from <= literalLimit) {
    const byte = source[end] ?? 0
    const belongs =
      (byte >= 0x30 && byte <= 0x39) ||
      (byte >= 0x61 && byte <= 0x7a) ||
      byte === 0x2b ||
      byte === 0x2d ||
      byte === 0x2e ||
      byte === 0x45
    if (!belongs) break
    end += 1
  }
  return end
}

/** Index of the token behind the value that begins at `index`. */
export function behind(tokens: JsonTokens, index: number): number {
  const kind = tokens.kind[index]
  const opens = kind === kinds.objectOpen || kind === kinds.arrayOpen
  return (opens ? (tokens.close[index] ?? index) : index) + 1
}
