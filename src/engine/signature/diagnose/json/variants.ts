import { jsonToken } from '#shared/json/tokenizer.ts'
import type { Message } from '../subject.ts'
import type { Work } from '../time-budget.ts'
import { suspectBytes, type StringStyle, mayChange, rewriteString } from './strings.ts'
import { type JsonTokens, behind } from './tokens.ts'

/** White space between the tokens. `kept`: as it came; `spaced`: `, ` and `: `, as Python's json.dumps; a text: indented with it. */
type Layout = 'kept' | 'compact' | 'spaced' | { readonly indent: string }

export interface JsonStyle {
  readonly layout: Layout
  readonly strings: StringStyle
  readonly numbers: NumberStyle
}

interface JsonPart {
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
    const what = kind[index] ?? jsonToken.literal
    const from = start[index] ?? 0
    const to = end[index] ?? from
    const closes = what === jsonToken.objectClose || what === jsonToken.arrayClose
    const opened = before === jsonToken.objectOpen || before === jsonToken.arrayOpen
    if (closes) depth -= 1
    if (kept) {
      const gap = step > 0 ? (end[index - 1] ?? from) : from
      if (!out.append(source, gap, from)) yield* out.put(source.subarray(gap, from))
    } else if (before === jsonToken.key) {
      if (!out.append(colon, 0, colon.byteLength)) yield* out.put(colon)
    } else if (before !== -1) {
      if (!opened && !closes && !out.append(comma, 0, comma.byteLength)) yield* out.put(comma)
      if (indent !== null && !(opened && closes)) yield* out.put(breakAt(depth))
    }
    if (what === jsonToken.objectOpen || what === jsonToken.arrayOpen) depth += 1
    const isString = what === jsonToken.key || what === jsonToken.string
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
    } else if (what === jsonToken.literal && numbers !== 'kept') {
      yield* out.put(Buffer.from(rewriteNumber(source.toString('latin1', from, to), numbers)))
    } else if (!out.append(source, from, to)) yield* out.put(source.subarray(from, to))
    before = what
  }
  yield* out.rest()
}

interface Named<T> {
  readonly style: T
  readonly codes: readonly string[]
  readonly words: string
}

const layouts: readonly Named<Layout>[] = [
  { style: 'compact', codes: ['body.compact'], words: 'compact' },
  { style: 'spaced', codes: ['body.spaced'], words: 'with a space after commas and colons' },
  ...[2, 4, 1, 3].map((width) => ({
    style: { indent: ' '.repeat(width) },
    codes: ['body.pretty'],
    words: `indented by ${width}`,
  })),
  { style: { indent: '\t' }, codes: ['body.pretty'], words: 'indented by tabs' },
]

const strings: readonly Named<StringStyle>[] = [
  { style: 'plain', codes: ['body.unescaped'], words: 'with no character escaped without need' },
  { style: 'ascii', codes: ['body.ascii'], words: 'with \\u escapes beyond ASCII' },
  { style: 'slashes', codes: ['body.slashes'], words: 'with escaped slashes' },
  {
    style: 'php',
    codes: ['body.ascii', 'body.slashes'],
    words: 'with escaped slashes and \\u escapes beyond ASCII',
  },
  { style: 'html', codes: ['body.html'], words: 'with <, > and & escaped' },
  { style: 'dotnet', codes: ['body.dotnet'], words: 'escaped as .NET does' },
]

const numbers: readonly Named<NumberStyle>[] = [
  { style: 'shortest', codes: ['body.numbers'], words: 'with numbers in their shortest form' },
  { style: 'float', codes: ['body.numbers'], words: 'with fractions in their shortest form' },
]

/** More of these than anybody's library makes; the plainest come first. */
const variantLimit = 400

/**
 * The same JSON as other libraries would write it: layout, order of keys, escapes, numbers, a line break behind, and what real libraries do
 * of it at once. Each carries a code for each departure from the way in which it came. The fewest departures first.
 */
export async function jsonVariants(
  tokens: JsonTokens,
  work: Work,
  part: JsonPart = { order: null, from: 0, to: tokens.count },
): Promise<Message[]> {
  const present = await presentBytes(tokens, work)
  const stringChoices = choices<StringStyle>('kept', strings, ({ style }) =>
    suspectBytes(style).some((byte) => present[byte] === 1),
  )
  const numberStyles = await changingNumbers(tokens, work)
  const numberChoices = choices<NumberStyle>('kept', numbers, ({ style }) =>
    numberStyles.has(style),
  )
  const own = await ownLayout(tokens, part, work)
  const sorted =
    part.order === null && part.to - part.from === tokens.count
      ? await sortedOrder(tokens, work)
      : null
  const orders: Named<JsonPart>[] = [
    { style: part, codes: [], words: '' },
    ...(sorted
      ? [{ style: { ...part, order: sorted }, codes: ['body.sorted'], words: 'with sorted keys' }]
      : []),
  ]
  const found: Message[] = []
  for (const order of orders) {
    const layoutChoices = order.style.order
      ? layouts.map((layout) => (layout.style === own ? { ...layout, codes: [] } : layout))
      : choices<Layout>('kept', layouts, ({ style }) => style !== own)
    for (const layout of layoutChoices) {
      for (const string of stringChoices) {
        for (const number of numberChoices) {
          const chosen = [layout, order, string, number]
          const codes = [...new Set(chosen.flatMap((choice) => choice.codes))]
          if (codes.length === 0) continue
          const words = `the JSON of the body ${chosen
            .map((choice) => choice.words)
            .filter(Boolean)
            .join(', ')}`
          const style = { layout: layout.style, strings: string.style, numbers: number.style }
          const pieces = (): Iterable<Uint8Array> => writeJson(tokens, style, order.style)
          found.push({ codes, words, pieces })
          if (layout.style === 'compact') {
            found.push({
              codes: [...codes, 'body.newline'],
              words: `${words}, with a line break behind it`,
              pieces: () => withLineBreak(pieces()),
            })
          }
        }
      }
    }
  }
  return found.toSorted((a, b) => a.codes.length - b.codes.length).slice(0, variantLimit)
}

function choices<T>(
  kept: T,
  all: readonly Named<T>[],
  changes: (choice: Named<T>) => boolean,
): Named<T>[] {
  return [{ style: kept, codes: [], words: '' }, ...all.filter(changes)]
}

function* withLineBreak(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  yield* pieces
  yield Buffer.from('\n')
}

/** The layout that the text has itself; null: none of these. */
async function ownLayout(tokens: JsonTokens, part: JsonPart, work: Work): Promise<Layout | null> {
  const { source, start, end } = tokens
  const text = source.subarray(start[part.from] ?? 0, end[part.to - 1] ?? 0)
  for (const { style: layout } of layouts) {
    let at = 0
    let same = true
    for (const piece of writeJson(tokens, { layout, strings: 'kept', numbers: 'kept' }, part)) {
      same = text.subarray(at, at + piece.byteLength).equals(piece)
      if (!same) break
      at += piece.byteLength
      if (work.due) await work.breathe()
    }
    if (same && at === text.byteLength) return layout
  }
  return null
}

const atOnce = 512 * 1024

/** 1 for every byte that there is in the text. */
async function presentBytes({ source }: JsonTokens, work: Work): Promise<Uint8Array> {
  const present = new Uint8Array(256)
  for (let from = 0; from < source.byteLength; from += atOnce) {
    for (const byte of source.subarray(from, from + atOnce)) present[byte] = 1
    if (work.due) await work.breathe()
  }
  return present
}

/** The styles in which at least one number would be written in another way. */
async function changingNumbers(tokens: JsonTokens, work: Work): Promise<Set<NumberStyle>> {
  const { source, kind, start, end, count } = tokens
  const changing = new Set<NumberStyle>()
  for (let index = 0; index < count && changing.size < numbers.length; index += 1) {
    if (index % 1024 === 0 && work.due) await work.breathe()
    const from = start[index] ?? 0
    const to = end[index] ?? 0
    if (kind[index] !== jsonToken.literal || isShortInteger(source, from, to)) continue
    const literal = source.toString('latin1', from, to)
    for (const { style } of numbers) {
      if (rewriteNumber(literal, style) !== literal) changing.add(style)
    }
  }
  return changing
}

/** Digits alone, few enough that no style writes them in another way. */
function isShortInteger(source: Buffer, from: number, to: number): boolean {
  if (to - from > 15) return false
  for (let at = from; at < to; at += 1) {
    const byte = source[at] ?? 0
    if (byte < 0x30 || byte > 0x39) return false
  }
  return true
}

/**
 * The tokens in the order in which they stand when the members of every object are sorted by their keys, by code points as Python and Go
 * do. Null: they are sorted already. Pauses as `work` asks it to.
 */
export async function sortedOrder(tokens: JsonTokens, work: Work): Promise<Uint32Array | null> {
  const order = new Uint32Array(tokens.count)
  let written = 0
  let changed = false
  /** What is still to be written: the next on top. A member is its key, and the value behind it. */
  const todo: { readonly at: number; readonly what: 'value' | 'member' | 'token' }[] = [
    { at: 0, what: 'value' },
  ]
  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 0 && work.due) await work.breathe()
    const next = todo.pop()
    if (!next) break
    const { at, what } = next
    order[written] = at
    written += 1
    if (what === 'token') continue
    if (what === 'member') {
      todo.push({ at: at + 1, what: 'value' })
      continue
    }
    const kind = tokens.kind[at]
    if (kind !== jsonToken.objectOpen && kind !== jsonToken.arrayOpen) continue
    const end = tokens.close[at] ?? at
    todo.push({ at: end, what: 'token' })
    const isObject = kind === jsonToken.objectOpen
    const parts: number[] = []
    for (let part = at + 1; part < end;) {
      parts.push(part)
      part = behind(tokens, isObject ? part + 1 : part)
    }
    const inOrder = isObject ? sortedMembers(tokens, parts) : parts
    if (isObject) changed ||= inOrder.some((part, index) => part !== parts[index])
    for (let index = inOrder.length - 1; index >= 0; index -= 1) {
      todo.push({ at: inOrder[index] ?? 0, what: isObject ? 'member' : 'value' })
    }
  }
  return changed ? order : null
}

function sortedMembers(tokens: JsonTokens, members: readonly number[]): readonly number[] {
  if (members.length < 2) return members
  const keys = new Map(members.map((member) => [member, keyOf(tokens, member)]))
  const none = Buffer.alloc(0)
  return members.toSorted((a, b) => Buffer.compare(keys.get(a) ?? none, keys.get(b) ?? none))
}

/** As UTF-8, whose order of bytes is that of the code points. */
function keyOf({ source, start, end }: JsonTokens, index: number): Buffer {
  const raw = source.subarray((start[index] ?? 0) + 1, (end[index] ?? 1) - 1)
  if (!raw.includes(0x5c)) return raw
  try {
    const text: unknown = JSON.parse(`"${raw.toString('utf8')}"`)
    return typeof text === 'string' ? Buffer.from(text, 'utf8') : raw
  } catch {
    return raw
  }
}

/** How a number is written. `kept`: as it came; `shortest`: as JavaScript, PHP and Go write it; `float`: as Python and Ruby do. */
type NumberStyle = 'kept' | 'shortest' | 'float'

/** A literal of JSON in a style; what is no number stays. */
function rewriteNumber(literal: string, style: NumberStyle): string {
  if (style === 'kept' || !/^-?\d/.test(literal)) return literal
  const fractional = /[.eE]/.test(literal)
  const value = Number(literal)
  if (!Number.isFinite(value)) return literal
  if (style === 'shortest')
    return fractional || Number.isSafeInteger(value) ? String(value) : literal
  if (!fractional) return literal
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
