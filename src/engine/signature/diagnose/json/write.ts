import { rewriteNumber, type NumberStyle } from './numbers.ts'
import { mayChange, rewriteString, type StringStyle } from './strings.ts'
import { kinds, type JsonTokens } from './tokens.ts'

/** White space between the tokens. `kept`: as it came; `spaced`: `, ` and `: `, as Python's json.dumps; a text: indented with it. */
export type Layout = 'kept' | 'compact' | 'spaced' | { readonly indent: string }

export interface JsonStyle {
  readonly layout: Layout
  readonly strings: StringStyle
  readonly numbers: NumberStyle
}

export interface JsonPart {
  /** The tokens in the order in which they are written; null: as they came. */
  readonly order: Uint32Array | null
  /** Index of the first token, and the one behind the last; only where the order is kept. */
  readonly from: number
  readonly to: number
}

/** Bytes that are gathered before they are handed on. */
const room = 128 * 1024

/** Gathers small pieces; large ones go through. */
class Gathered {
  readonly #bytes = Buffer.allocUnsafe(room)
  #used = 0

  /** True when the bytes fit in without handing anything on. */
  append(source: Uint8Array, from: number, to: number): boolean {
    if (this.#used + to - from > room) return false
    if (to - from > 32) this.#bytes.set(source.subarray(from, to), this.#used)
    else for (let at = from; at < to; at += 1) this.#bytes[this.#used + at - from] = source[at] ?? 0
    this.#used += to - from
    return true
  }

  /** Pieces that are full now, with this one behind them. */
  *put(piece: Uint8Array): Iterable<Uint8Array> {
    if (this.#used + piece.byteLength > room) yield* this.rest()
    if (piece.byteLength > room) yield piece
    else {
      this.#bytes.set(piece, this.#used)
      this.#used += piece.byteLength
    }
  }

  *rest(): Iterable<Uint8Array> {
    if (this.#used > 0) yield this.#bytes.subarray(0, this.#used)
    this.#used = 0
  }
}

/** The text of the tokens in another style, in pieces. A piece is good until the next is asked for. */
export function* writeJson(
  tokens: JsonTokens,
  style: JsonStyle,
  part: JsonPart = { order: null, from: 0, to: tokens.count },
): Iterable<Uint8Array> {
  const { source, kind, start, end } = tokens
  const { layout, strings, numbers } = style
  const kept = layout === 'kept'
  const indent = typeof layout === 'object' ? layout.indent : null
  const comma = Buffer.from(layout === 'spaced' ? ', ' : ',')
  const colon = Buffer.from(layout === 'compact' ? ':' : ': ')
  const breaks = new Map<number, Buffer>()
  const breakAt = (depth: number): Buffer => {
    const known = breaks.get(depth)
    if (known) return known
    const made = Buffer.from(`\n${(indent ?? '').repeat(depth)}`)
    // Deep ones are long: not all of them are held.
    if (breaks.size < 64) breaks.set(depth, made)
    return made
  }
  const out = new Gathered()
  const count = part.to - part.from
  let depth = 0
  let before = -1
  for (let step = 0; step < count; step += 1) {
    const index = part.order ? (part.order[step] ?? 0) : part.from + step
    const what = kind[index] ?? kinds.literal
    const from = start[index] ?? 0
    const to = end[index] ?? from
    const closes = what === kinds.objectClose || what === kinds.arrayClose
    const opened = before === kinds.objectOpen || before === kinds.arrayOpen
    if (closes) depth -= 1
    if (kept) {
      const gap = step > 0 ? (end[index - 1] ?? from) : from
      if (!out.append(source, gap, from)) yield* out.put(source.subarray(gap, from))
    } else if (before === kinds.key) {
      if (!out.append(colon, 0, colon.byteLength)) yield* out.put(colon)
    } else if (before !== -1) {
      if (!opened && !closes && !out.append(comma, 0, comma.byteLength)) yield* out.put(comma)
      if (indent !== null && !(opened && closes)) yield* out.put(breakAt(depth))
    }
    if (what === kinds.objectOpen || what === kinds.arrayOpen) depth += 1
    const isString = what === kinds.key || what === kinds.string
    // A long string is looked at piece by piece.
    const rewrites =
      isString &&
      strings !== 'kept' &&
      (to - from > room || mayChange(source.subarray(from + 1, to - 1), strings))
    if (rewrites) {
      yield* out.put(source.subarray(from, from + 1))
      for (const piece of rewriteString(source.subarray(from + 1, to - 1), strings)) {
        yield* out.put(piece)
      }
      yield* out.put(source.subarray(to - 1, to))
    } else if (what === kinds.literal && numbers !== 'kept') {
      yield* out.put(Buffer.from(rewriteNumber(source.toString('latin1', from, to), numbers)))
    } else if (!out.append(source, from, to)) yield* out.put(source.subarray(from, to))
    before = what
  }
  yield* out.rest()
}
