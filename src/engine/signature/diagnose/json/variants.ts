import { jsonToken } from '#shared/json/tokenizer.ts'
import type { Message } from '../subject.ts'
import type { TimeBudget } from '../time-budget.ts'
import { suspectBytes, type StringStyle, mayChange, rewriteString } from './strings.ts'
import { type JsonTokens, indexAfter } from './tokens.ts'

/** `original`: as received; `spaced`: `, ` and `: `, as Python's json.dumps; `indent`: indented with that text. */
type Layout = 'original' | 'compact' | 'spaced' | { readonly indent: string }

export interface JsonStyle {
  readonly layout: Layout
  readonly strings: StringStyle
  readonly numbers: NumberStyle
}

interface JsonPart {
  /** Null: as received. */
  readonly order: Uint32Array | null
  /** First token, and the one after the last. Only used if `order` is null. */
  readonly from: number
  readonly to: number
}

const bufferBytes = 128 * 1024

/** Combines small pieces into larger ones. Large pieces are passed through. */
class PieceBuffer {
  readonly #bytes = Buffer.allocUnsafe(bufferBytes)
  #used = 0

  /** Returns false if the bytes do not fit. */
  append(source: Uint8Array, from: number, to: number): boolean {
    if (this.#used + to - from > bufferBytes) return false
    if (to - from > 32) this.#bytes.set(source.subarray(from, to), this.#used)
    else for (let at = from; at < to; at += 1) this.#bytes[this.#used + at - from] = source[at] ?? 0
    this.#used += to - from
    return true
  }

  *put(piece: Uint8Array): Iterable<Uint8Array> {
    if (this.#used + piece.byteLength > bufferBytes) yield* this.rest()
    if (piece.byteLength > bufferBytes) yield piece
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

/** A piece is valid until the next one is requested. */
export function* writeJson(
  tokens: JsonTokens,
  style: JsonStyle,
  part: JsonPart = { order: null, from: 0, to: tokens.count },
): Iterable<Uint8Array> {
  const { source, kind, start, end } = tokens
  const { layout, strings, numbers } = style
  const keepsLayout = layout === 'original'
  const indent = typeof layout === 'object' ? layout.indent : null
  const comma = Buffer.from(layout === 'spaced' ? ', ' : ',')
  const colon = Buffer.from(layout === 'compact' ? ':' : ': ')
  const breaks = new Map<number, Buffer>()
  const breakAt = (depth: number): Buffer => {
    const known = breaks.get(depth)
    if (known) return known
    const made = Buffer.from(`\n${(indent ?? '').repeat(depth)}`)
    // Deep ones are long, so only some are cached.
    if (breaks.size < 64) breaks.set(depth, made)
    return made
  }
  const out = new PieceBuffer()
  const count = part.to - part.from
  let depth = 0
  let before = -1
  for (let step = 0; step < count; step += 1) {
    const index = part.order ? (part.order[step] ?? 0) : part.from + step
    const token = kind[index] ?? jsonToken.literal
    const from = start[index] ?? 0
    const to = end[index] ?? from
    const closes = token === jsonToken.objectClose || token === jsonToken.arrayClose
    const opened = before === jsonToken.objectOpen || before === jsonToken.arrayOpen
    if (closes) depth -= 1
    if (keepsLayout) {
      const gap = step > 0 ? (end[index - 1] ?? from) : from
      if (!out.append(source, gap, from)) yield* out.put(source.subarray(gap, from))
    } else if (before === jsonToken.key) {
      if (!out.append(colon, 0, colon.byteLength)) yield* out.put(colon)
    } else if (before !== -1) {
      if (!opened && !closes && !out.append(comma, 0, comma.byteLength)) yield* out.put(comma)
      if (indent !== null && !(opened && closes)) yield* out.put(breakAt(depth))
    }
    if (token === jsonToken.objectOpen || token === jsonToken.arrayOpen) depth += 1
    const isString = token === jsonToken.key || token === jsonToken.string
    // Long strings are checked piece by piece in `rewriteString`.
    const rewrites =
      isString &&
      strings !== 'original' &&
      (to - from > bufferBytes || mayChange(source.subarray(from + 1, to - 1), strings))
    if (rewrites) {
      yield* out.put(source.subarray(from, from + 1))
      for (const piece of rewriteString(source.subarray(from + 1, to - 1), strings)) {
        yield* out.put(piece)
      }
      yield* out.put(source.subarray(to - 1, to))
    } else if (token === jsonToken.literal && numbers !== 'original') {
      yield* out.put(Buffer.from(rewriteNumber(source.toString('latin1', from, to), numbers)))
    } else if (!out.append(source, from, to)) yield* out.put(source.subarray(from, to))
    before = token
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
  { style: { indent: '  ' }, codes: ['body.pretty'], words: 'indented with 2 spaces' },
  { style: { indent: '    ' }, codes: ['body.pretty'], words: 'indented with 4 spaces' },
  { style: { indent: '\t' }, codes: ['body.pretty'], words: 'indented with tabs' },
]

const strings: readonly Named<StringStyle>[] = [
  { style: 'plain', codes: ['body.unescaped'], words: 'without unnecessary escapes' },
  { style: 'ascii', codes: ['body.ascii'], words: 'with \\u escapes for non-ASCII characters' },
  { style: 'slashes', codes: ['body.slashes'], words: 'with escaped slashes' },
  {
    style: 'php',
    codes: ['body.ascii', 'body.slashes'],
    words: 'with escaped slashes and \\u escapes for non-ASCII characters',
  },
  { style: 'html', codes: ['body.html'], words: 'with <, > and & escaped' },
  { style: 'dotnet', codes: ['body.dotnet'], words: 'escaped as .NET does' },
]

const numbers: readonly Named<NumberStyle>[] = [
  { style: 'shortest', codes: ['body.numbers'], words: 'with numbers in their shortest form' },
  { style: 'float', codes: ['body.numbers'], words: 'with fractions in their shortest form' },
]

/**
 * The same JSON as other libraries write it: layout, order of keys, escapes, numbers, a trailing line break, and combinations. Each variant has a code
 * for each difference from the received text; the fewest differences come first.
 */
export async function jsonVariants(
  tokens: JsonTokens,
  budget: TimeBudget,
  part: JsonPart = { order: null, from: 0, to: tokens.count },
): Promise<Message[]> {
  const present = await presentBytes(tokens, budget)
  const stringChoices = choices<StringStyle>('original', strings, ({ style }) =>
    suspectBytes(style).some((byte) => present[byte] === 1),
  )
  const numberStyles = await changingNumbers(tokens, budget)
  const numberChoices = choices<NumberStyle>('original', numbers, ({ style }) =>
    numberStyles.has(style),
  )
  const own = await ownLayout(tokens, part, budget)
  const sorted =
    part.order === null && part.to - part.from === tokens.count
      ? await sortedOrder(tokens, budget)
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
      : choices<Layout>('original', layouts, ({ style }) => style !== own)
    for (const layout of layoutChoices) {
      for (const string of stringChoices) {
        for (const number of numberChoices) {
          const combination = [layout, order, string, number]
          const codes = [...new Set(combination.flatMap((choice) => choice.codes))]
          if (codes.length === 0) continue
          const words = `the JSON of the body ${combination
            .map((choice) => choice.words)
            .filter(Boolean)
            .join(', ')}`
          const style = { layout: layout.style, strings: string.style, numbers: number.style }
          const pieces = (): Iterable<Uint8Array> => writeJson(tokens, style, order.style)
          found.push({ codes, words, pieces })
          if (layout.style === 'compact') {
            found.push({
              codes: [...codes, 'body.newline'],
              words: `${words}, followed by a line break`,
              pieces: () => withLineBreak(pieces()),
            })
          }
        }
      }
    }
  }
  return found.toSorted((a, b) => a.codes.length - b.codes.length)
}

function choices<T>(
  original: T,
  all: readonly Named<T>[],
  changes: (choice: Named<T>) => boolean,
): Named<T>[] {
  return [{ style: original, codes: [], words: '' }, ...all.filter(changes)]
}

function* withLineBreak(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  yield* pieces
  yield Buffer.from('\n')
}

/** Null if it is none of `layouts`. */
async function ownLayout(
  tokens: JsonTokens,
  part: JsonPart,
  budget: TimeBudget,
): Promise<Layout | null> {
  const { source, start, end } = tokens
  const text = source.subarray(start[part.from] ?? 0, end[part.to - 1] ?? 0)
  for (const { style: layout } of layouts) {
    let at = 0
    let same = true
    for (const piece of writeJson(
      tokens,
      { layout, strings: 'original', numbers: 'original' },
      part,
    )) {
      same = text.subarray(at, at + piece.byteLength).equals(piece)
      if (!same) break
      at += piece.byteLength
      if (budget.due) await budget.yield()
    }
    if (same && at === text.byteLength) return layout
  }
  return null
}

const chunkBytes = 512 * 1024

/** Has 1 for every byte value that occurs in the text. */
async function presentBytes({ source }: JsonTokens, budget: TimeBudget): Promise<Uint8Array> {
  const present = new Uint8Array(256)
  for (let from = 0; from < source.byteLength; from += chunkBytes) {
    for (const byte of source.subarray(from, from + chunkBytes)) present[byte] = 1
    if (budget.due) await budget.yield()
  }
  return present
}

/** Styles that would write at least one number differently. */
async function changingNumbers(tokens: JsonTokens, budget: TimeBudget): Promise<Set<NumberStyle>> {
  const { source, kind, start, end, count } = tokens
  const changing = new Set<NumberStyle>()
  for (let index = 0; index < count && changing.size < numbers.length; index += 1) {
    if (index % 1024 === 0 && budget.due) await budget.yield()
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

/** Only digits, and so few that no style writes them differently. */
function isShortInteger(source: Buffer, from: number, to: number): boolean {
  if (to - from > 15) return false
  for (let at = from; at < to; at += 1) {
    const byte = source[at] ?? 0
    if (byte < 0x30 || byte > 0x39) return false
  }
  return true
}

/** The tokens with object members sorted by key, by code points as in Python and Go; null if they are sorted already. Yields when `budget` is due. */
export async function sortedOrder(
  tokens: JsonTokens,
  budget: TimeBudget,
): Promise<Uint32Array | null> {
  const order = new Uint32Array(tokens.count)
  let written = 0
  let changed = false
  /** A stack. A member is a key followed by its value. */
  const todo: { readonly at: number; readonly kind: 'value' | 'member' | 'token' }[] = [
    { at: 0, kind: 'value' },
  ]
  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 0 && budget.due) await budget.yield()
    const next = todo.pop()
    if (!next) break
    const { at, kind: part } = next
    order[written] = at
    written += 1
    if (part === 'token') continue
    if (part === 'member') {
      todo.push({ at: at + 1, kind: 'value' })
      continue
    }
    const kind = tokens.kind[at]
    if (kind !== jsonToken.objectOpen && kind !== jsonToken.arrayOpen) continue
    const end = tokens.close[at] ?? at
    todo.push({ at: end, kind: 'token' })
    const isObject = kind === jsonToken.objectOpen
    const parts: number[] = []
    for (let index = at + 1; index < end;) {
      parts.push(index)
      index = indexAfter(tokens, isObject ? index + 1 : index)
    }
    const inOrder = isObject ? sortedMembers(tokens, parts) : parts
    if (isObject) changed ||= inOrder.some((start, index) => start !== parts[index])
    for (let index = inOrder.length - 1; index >= 0; index -= 1) {
      todo.push({ at: inOrder[index] ?? 0, kind: isObject ? 'member' : 'value' })
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

/** UTF-8, whose bytes sort like the code points. */
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

/** `original`: as received; `shortest`: as in JavaScript, PHP and Go; `float`: as in Python and Ruby. */
type NumberStyle = 'original' | 'shortest' | 'float'

function rewriteNumber(literal: string, style: NumberStyle): string {
  if (style === 'original' || !/^-?\d/.test(literal)) return literal
  const fractional = /[.eE]/.test(literal)
  const value = Number(literal)
  if (!Number.isFinite(value)) return literal
  if (style === 'shortest')
    return fractional || Number.isSafeInteger(value) ? String(value) : literal
  if (!fractional) return literal
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
