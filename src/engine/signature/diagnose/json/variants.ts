import type { Message } from '../message.ts'
import type { Work } from '../time-budget.ts'
import { rewriteNumber, type NumberStyle } from './numbers.ts'
import { sortedOrder } from './order.ts'
import { suspectBytes, type StringStyle } from './strings.ts'
import { kinds, type JsonTokens } from './tokens.ts'
import { writeJson, type JsonPart, type Layout } from './write.ts'

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
    if (kind[index] !== kinds.literal || isShortInteger(source, from, to)) continue
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
