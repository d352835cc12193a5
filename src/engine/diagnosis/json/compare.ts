import type { CauseCode } from '#catalogue/cause-titles.ts'
import { childPath } from '#shared/json/path.ts'
import { codePointOf } from '../encodings.ts'
import type { TimeBudget } from '../time-budget.ts'
import { isRoundedFrom } from './numbers.ts'
import {
  parseDocument,
  textOf,
  type JsonDocument,
  type JsonNode,
  type JsonObject,
  type Member,
  type Scalar,
} from './document.ts'
import { classOf, splitUnits, type CharacterClass, type StringUnit } from './escapes.ts'
import { fill, layouts, template, type Layout } from './layouts.ts'
import { byCodePoint, byLength } from './members.ts'

/** One kind of difference between the received and the signed JSON. */
export interface Difference {
  readonly code: CauseCode
  /** "with slashes escaped" */
  readonly words: string
  /** Of the first place: `data.total`. Empty: the whole text. */
  readonly path: string
  /** The first place, shortened; empty if a member was added or left out. */
  readonly received: string
  readonly signed: string
  readonly places: number
}

/**
 * What differs between two JSON texts of the same content: the names of causes come from here, not from how the signed text was found. Empty if one of
 * them is no JSON.
 */
export async function compareJson(
  received: string,
  signed: string,
  utf8: boolean,
  budget: TimeBudget,
): Promise<Difference[]> {
  const from = await parseDocument(received, utf8, budget)
  const to = await parseDocument(signed, utf8, budget)
  if ('fault' in from || 'fault' in to) return []
  const found = new Differences()
  await compareTrees(from.root, to.root, found, budget)
  await compareLayouts(from, to, found, budget)
  return found.list()
}

type Sample = Pick<Difference, 'path' | 'received' | 'signed'>

class Differences {
  readonly #found = new Map<CauseCode, { words: Set<string>; sample: Sample; places: number }>()

  add(code: CauseCode, words: string, sample: Sample): void {
    const known = this.#found.get(code)
    if (known) {
      known.words.add(words)
      known.places += 1
    } else this.#found.set(code, { words: new Set([words]), sample, places: 1 })
  }

  list(): Difference[] {
    // Emoji are characters beyond ASCII, too.
    const [ascii, emoji] = [this.#found.get('body.ascii'), this.#found.get('body.astral')]
    if (ascii && emoji) {
      ascii.places += emoji.places
      this.#found.delete('body.astral')
    }
    return [...this.#found].map(([code, { words, sample, places }]) => ({
      code,
      words: [...words].slice(0, 4).join(' and '),
      ...sample,
      places,
    }))
  }
}

interface Pair {
  readonly a: JsonNode
  readonly b: JsonNode
  readonly path: string
}

/** Without recursion, and yielding when `budget` is due. */
async function compareTrees(
  a: JsonNode,
  b: JsonNode,
  found: Differences,
  budget: TimeBudget,
): Promise<void> {
  const todo: Pair[] = [{ a, b, path: '' }]
  for (const [index, pair] of todo.entries()) {
    compareNodes(pair, todo, found)
    if (index % 256 === 0 && budget.due) await budget.yield()
  }
}

function compareNodes({ a, b, path }: Pair, todo: Pair[], found: Differences): void {
  if (a.kind === 'object' && b.kind === 'object') compareObjects(a, b, path, todo, found)
  else if (a.kind === 'array' && b.kind === 'array') {
    for (const [index, item] of a.items.entries()) {
      const other = b.items[index]
      if (other) todo.push({ a: item, b: other, path: childPath(path, index) })
    }
  } else compareValues(a, b, path, found)
}

function compareValues(a: JsonNode, b: JsonNode, path: string, found: Differences): void {
  const sample = { path, received: shown(a), signed: shown(b) }
  if (a.kind === 'string' && b.kind === 'string' && textOf(a) === textOf(b)) {
    compareStrings(a, b, path, found)
  } else if (sample.received !== sample.signed) {
    const isNumber = a.kind === 'number' || b.kind === 'number'
    const isTime = a.kind === 'string' && b.kind === 'string'
    const isDigits = a.kind === 'number' && b.kind === 'number' && isRoundedFrom(a.raw, b.raw)
    if (isDigits) found.add('body.rounded', 'with all digits of a rounded number', sample)
    else if (isNumber) found.add('body.numbers', 'with numbers in another notation', sample)
    else if (isTime) found.add('body.times', 'with times in another notation', sample)
    else found.add('body.empty_values', 'with other values for empty ones', sample)
  }
}

function shown(node: JsonNode): string {
  if (node.kind === 'object') return node.members.length === 0 ? '{}' : '{…}'
  if (node.kind === 'array') return node.items.length === 0 ? '[]' : '[…]'
  return node.raw.length > 40 ? `${node.raw.slice(0, 40)}…` : node.raw
}

const plainName = (name: string): string => name.replaceAll('_', '').toLowerCase()

function compareObjects(
  a: JsonObject,
  b: JsonObject,
  path: string,
  todo: Pair[],
  found: Differences,
): void {
  const received = byName(a)
  const signed = byName(b)
  for (const [name, members] of received) {
    const [first] = members
    const at = childPath(path, name)
    if (!first) continue
    const last = members.at(-1) ?? first
    const same = signed.get(name)
    if (members.length > (same?.length ?? 1)) {
      const sample = { path: at, received: shown(first.value), signed: shown(last.value) }
      found.add('body.duplicates', 'with only the last of equal keys', sample)
    }
    const other = same?.at(-1) ?? renamedTo(name, received, signed)
    if (other) {
      const isRenamed = same === undefined
      if (isRenamed) {
        const sample = { path: at, received: first.key.raw, signed: other.key.raw }
        found.add('body.names', 'with other names of members', sample)
      } else compareStrings(first.key, other.key, at, found)
      todo.push({ a: last.value, b: other.value, path: at })
    } else
      found.add(
        ...missing(last.value, 'without', { path: at, received: shown(last.value), signed: '' }),
      )
  }
  for (const [name, [member]] of signed) {
    if (!member || received.has(name) || renamedTo(name, signed, received)) continue
    const sample = { path: childPath(path, name), received: '', signed: shown(member.value) }
    found.add(...missing(member.value, 'with', sample))
  }
  compareOrder([...received.keys()], [...signed.keys()], path, found)
}

function byName({ members }: JsonObject): Map<string, Member[]> {
  const names = new Map<string, Member[]>()
  for (const member of members) {
    const name = textOf(member.key)
    const known = names.get(name)
    if (known) known.push(member)
    else names.set(name, [member])
  }
  return names
}

function renamedTo(
  name: string,
  own: ReadonlyMap<string, unknown>,
  others: ReadonlyMap<string, readonly Member[]>,
): Member | undefined {
  for (const [other, members] of others) {
    if (!own.has(other) && plainName(other) === plainName(name)) return members.at(-1)
  }
  return undefined
}

function missing(
  value: JsonNode,
  word: 'with' | 'without',
  sample: Sample,
): [code: CauseCode, words: string, sample: Sample] {
  return value.kind === 'word'
    ? ['body.nulls', `${word} members that are null`, sample]
    : ['body.empty_left_out', `${word} members that are empty`, sample]
}

function compareOrder(
  received: readonly string[],
  signed: readonly string[],
  path: string,
  found: Differences,
): void {
  const before = received.filter((name) => signed.includes(name))
  const after = signed.filter((name) => received.includes(name))
  const at = before.findIndex((name, index) => name !== after[index])
  if (at === -1) return
  const sample = { path, received: quoted(before[at]), signed: quoted(after[at]) }
  found.add('body.sorted', `with the keys ${orderOf(before, after)}`, sample)
}

function orderOf(before: readonly string[], after: readonly string[]): string {
  const isOrderedBy = (compare: (a: string, b: string) => number): boolean =>
    after.every((name, index) => index === 0 || compare(after[index - 1] ?? '', name) <= 0)
  if (isOrderedBy(byCodePoint)) return 'in alphabetical order'
  if (isOrderedBy(byLength)) return 'ordered by their length'
  if (isOrderedBy((a, b) => byCodePoint(b, a))) return 'in descending order'
  return before.every((name, index) => name === after.at(-1 - index))
    ? 'in reverse order'
    : 'in another order'
}

function quoted(name: string | undefined): string {
  return JSON.stringify((name ?? '').slice(0, 40))
}

const classWords: Readonly<
  Partial<Record<CharacterClass, readonly [code: CauseCode, words: string]>>
> = {
  slash: ['body.slashes', 'with slashes escaped'],
  'slash after <': ['body.slashes', 'with slashes escaped'],
  angle: ['body.html', 'with < and > escaped'],
  ampersand: ['body.html', 'with & escaped'],
  other: ['body.ascii', 'with non-ASCII characters escaped'],
  pair: ['body.astral', 'with emoji escaped'],
}

function compareStrings(a: Scalar, b: Scalar, path: string, found: Differences): void {
  if (a.raw === b.raw) return
  const received = splitUnits(a.raw.slice(1, -1))
  const signed = splitUnits(b.raw.slice(1, -1))
  for (const [index, unit] of received.entries()) {
    const other = signed[index]
    if (!other || unit.raw === other.raw || unit.code !== other.code) continue
    const [code, words] = nameOf(unit, other, received[index - 1]?.code ?? 0)
    found.add(code, words, { path, received: unit.raw, signed: other.raw })
  }
}

function nameOf(
  unit: StringUnit,
  other: StringUnit,
  before: number,
): readonly [code: CauseCode, words: string] {
  const isEscaped = unit.raw.startsWith('\\')
  if (isEscaped && other.raw.startsWith('\\')) {
    return unit.raw.toLowerCase() === other.raw.toLowerCase()
      ? ['body.hex_case', 'with the hex digits of escapes in another case']
      : ['body.escapes', 'with other escapes for the same characters']
  }
  if (isEscaped) return ['body.unescaped', 'without escapes that JSON does not require']
  const kind = classOf(unit.code, before)
  const shown = /^[!-~]$/.test(unit.raw) ? unit.raw : codePointOf(unit.raw)
  return (kind && classWords[kind]) ?? ['body.escapes', `with ${shown} escaped`]
}

async function compareLayouts(
  from: JsonDocument,
  to: JsonDocument,
  found: Differences,
  budget: TimeBudget,
): Promise<void> {
  const signed = trimmed(to)
  const received = trimmed(from)
  const layout = await layoutOf(to, signed, budget)
  const own = layout && (await writtenIn(from, layout, budget))
  if (layout && own !== received) {
    const at = firstDifference(received, own ?? '')
    found.add(codeOf(layout, await layoutOf(from, received, budget)), layout.words, {
      path: '',
      received: snippet(received, at),
      signed: snippet(own ?? '', at),
    })
  }
  const end = from.tokens.text.slice(endOf(from))
  const other = to.tokens.text.slice(endOf(to))
  if (end !== other) {
    const words =
      other === '' ? 'without the white space at the end' : 'with a line break at the end'
    const sample = { path: '', received: JSON.stringify(end), signed: JSON.stringify(other) }
    found.add('body.newline', words, sample)
  }
}

function codeOf(layout: Layout, own: Layout | null): CauseCode {
  if (own && own.lineEnd !== layout.lineEnd && own.indent === layout.indent) return 'body.line_ends'
  if (layout === layouts.compact) return 'body.compact'
  return layout === layouts.spaced ? 'body.spaced' : 'body.pretty'
}

function endOf({ tokens }: JsonDocument): number {
  return tokens.end[tokens.count - 1] ?? 0
}

function trimmed(document: JsonDocument): string {
  return document.tokens.text.slice(document.tokens.start[0], endOf(document))
}

async function writtenIn(
  document: JsonDocument,
  layout: Layout,
  budget: TimeBudget,
): Promise<string> {
  const { root, strings, numbers } = document
  const made = await template(root, layout, budget)
  return fill(
    made,
    strings,
    numbers.map(({ raw }) => raw),
  )
}

/** The most common one with this text; null: none that is known. */
async function layoutOf(
  document: JsonDocument,
  text: string,
  budget: TimeBudget,
): Promise<Layout | null> {
  for (const layout of Object.values<Layout>(layouts).toSorted((a, b) => a.cost - b.cost)) {
    if ((await writtenIn(document, layout, budget)) === text) return layout
  }
  return null
}

export function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

/** 12 characters before and 24 after a position. */
export function snippet(text: string, at: number): string {
  const from = Math.max(0, at - 12)
  const part = text.slice(from, at + 24).toWellFormed()
  return `${from > 0 ? '…' : ''}${part}${at + 24 < text.length ? '…' : ''}`
}
