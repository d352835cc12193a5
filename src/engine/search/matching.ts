import type { Filter, FilterValue, Comparison } from '#contract/filter/ast.ts'
import { isNone, isWildcard, jsonLiteral } from '#contract/filter/check.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { readTime, readNumber } from '#contract/filter/values.ts'
import { utf8AsLatin1 } from '../conformance/utf8-as-latin1.ts'
import { topTerms } from '#contract/filter/edit.ts'

/** Words that a text whose last word is a beginning may end with. */
export interface PrefixExpansion {
  /** The words before the last. */
  readonly before: string
  /** The beginning. */
  readonly last: string
  /** Null: there are too many to name them. */
  readonly words: readonly string[] | null
}

export type Text = Extract<Filter, { kind: 'text' }>
export type Term = Extract<Filter, { kind: 'field' }>

/** What a filter means beyond its text. */
export interface FilterContext {
  /** Milliseconds since the epoch: what `since:2h` counts from. */
  readonly asOf: number
  readonly endpoints: readonly {
    readonly id: number
    readonly name: string
    readonly slug: string
    readonly integration: { readonly id: number; readonly name: string }
  }[]
  /** What a text whose last word is a beginning may end with. */
  readonly endings: (text: Text) => PrefixExpansion
}

/** Whether the value stands for "without one". */
export function isNoneOf(term: Term, value: FilterValue): boolean {
  const field = fieldOf(term.field)
  return field !== undefined && isNone(field, value)
}

/** Whether `*` in the value stands for any characters. */
export function piecesOf(value: FilterValue): readonly string[] {
  return value.quoted ? [value.text] : value.text.split('*')
}

/** Microseconds since the epoch of a value of `since` or `before`. */
export function micros(text: string, { asOf }: Pick<FilterContext, 'asOf'>): number {
  // Whole, as `received_us` is: what arrives within the microsecond is not before it.
  return Math.ceil((readTime(text, asOf) ?? 0) * 1000)
}

/** The endpoints that the values name: by name or slug whatever the case, or by number. One that was removed still has its number. */
export function endpointIds(term: Term, { endpoints }: Pick<FilterContext, 'endpoints'>): number[] {
  const ids = new Set<number>()
  for (const value of term.values) {
    if (isNoneOf(term, value)) continue
    const names = wildcard(piecesOf(value).map((piece) => piece.toLowerCase()))
    for (const { id, name, slug } of endpoints) {
      if (names(name.toLowerCase()) || names(slug)) ids.add(id)
    }
    if (/^\d{1,15}$/.test(value.text)) ids.add(Number(value.text))
  }
  return [...ids].sort((a, b) => a - b)
}

/** The endpoints of the integrations that the values name: by name whatever the case, or by number. */
export function integrationEndpointIds(
  term: Term,
  { endpoints }: Pick<FilterContext, 'endpoints'>,
): number[] {
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const tests = named.map((value) => ({
    names: wildcard(piecesOf(value).map((piece) => piece.toLowerCase())),
    number: value.text,
  }))
  return endpoints
    .filter(({ integration: { id, name } }) =>
      tests.some(({ names, number }) => names(name.toLowerCase()) || number === String(id)),
    )
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
}

/**
 * A test for text that consists of these pieces with any characters between them, none included. Takes time in proportion to the text,
 * whatever the pieces: each is looked for once, behind the one before.
 */
export function wildcard(pieces: readonly string[]): (text: string) => boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (pieces.length === 1) return (text) => text === first
  const between = pieces.slice(1, -1).filter((piece) => piece !== '')
  return (text) => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const piece of between) {
      const found = text.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}

/**
 * Text of the user as a query of FTS5: its words in this order, nothing of it an operator. Where its last word is only the beginning of one,
 * that may be any of the words that `endings` finds: a prefix of FTS5 itself reads all that begins so, wherever it is, at each query.
 */
export function phrase(text: Text, endings: () => PrefixExpansion): string {
  if (!isOpen(text)) return quoted(text.text)
  const { before, last, words } = endings()
  if (words === null) return `${quoted(`${before} ${last}`)} *`
  if (words.length === 0) return '""'
  return `(${words.map((word) => quoted(`${before} ${word}`)).join(' OR ')})`
}

/** Whether the last word of the text is only the beginning of one: as it is typed, or where `*` ends it. */
export function isOpen({ text, quoted: whole }: Pick<Text, 'text' | 'quoted'>): boolean {
  return !whole || text.endsWith('*')
}

/** A quotation mark ends a string of FTS5, and a NUL the whole query; between words they mean no more than a space. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\0]/g, ' ')}"`
}

/** A test for text that has one of the values somewhere, whatever the case and the marks above letters. */
export function containsTest(
  values: readonly Pick<FilterValue, 'text' | 'quoted'>[],
): (text: string) => boolean {
  const tests = values.map((value) => {
    const text = plain(value.text)
    return isWildcard(value)
      ? wildcard(['', ...text.split('*'), ''])
      : (found: string) => found.includes(text)
  })
  return (text) => {
    const found = plain(text)
    return tests.some((test) => test(found))
  }
}

function plain(text: string): string {
  // Most texts are ASCII, which has no marks.
  const letters = /[^\0-\x7f]/.test(text) ? text.normalize('NFD').replaceAll(/\p{Mn}/gu, '') : text
  return letters.toLowerCase()
}

/** What a `header:x=y` term asks of the headers that came; goes through SQL as JSON. */
export interface HeaderTest {
  /** Lower case. */
  readonly name: string
  /** Any of them; empty: that the header came. */
  readonly values: readonly Pick<FilterValue, 'text' | 'quoted'>[]
}

/** A test for headers as the store has them: names and values in turn, joined by line feeds. */
export function headerTest({ name, values }: HeaderTest): (headers: string) => boolean {
  // A header comes as Latin-1, whatever its bytes mean; people write what they mean.
  const wanted = values.flatMap((value) => {
    const { text } = value
    const bytes = utf8AsLatin1(text)
    const spellings = bytes === text ? [text] : [text, bytes]
    return spellings.map((spelling) =>
      isWildcard(value) ? wildcard(spelling.split('*')) : (came: string) => came === spelling,
    )
  })
  return (headers) => {
    for (let at = 0; at <= headers.length;) {
      const nameTo = endOfLine(headers, at)
      const valueTo = endOfLine(headers, nameTo + 1)
      // Most names differ in length.
      if (nameTo - at === name.length && headers.slice(at, nameTo).toLowerCase() === name) {
        const value = headers.slice(nameTo + 1, valueTo)
        if (wanted.length === 0 || wanted.some((test) => test(value))) return true
      }
      at = valueTo + 1
    }
    return false
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

/** What a `data.x` or `body.x` term asks of a body; goes through SQL as JSON. */
export interface BodyTest {
  /** From the top of the body. */
  readonly path: readonly string[]
  /** `!=` is said by a `NOT` around it. */
  readonly comparison: Exclude<Comparison, '!='>
  readonly values: readonly Pick<FilterValue, 'text' | 'quoted'>[]
}

/**
 * A test for a parsed body. On the way and at its end any element of an array will do. A number compares with numbers, text with text,
 * `true`, `false` and `null` with themselves; `*` alone finds whatever is there.
 */
export function bodyTest({ path, comparison, values }: BodyTest): (body: unknown) => boolean {
  const tests = values.map((value) => valueTest(value, comparison))
  const present = values.some((value) => !value.quoted && value.text === '*')
  return (body) => {
    const found = follow(body, path)
    if (present) return found.length > 0
    return elements(found).some((value) => tests.some((test) => test(value)))
  }
}

function valueTest(
  value: BodyTest['values'][number],
  comparison: BodyTest['comparison'],
): (found: unknown) => boolean {
  if (comparison === '=') {
    const literal = jsonLiteral(value)
    if (literal !== undefined) return (found) => found === literal
    if (isWildcard(value)) {
      const test = wildcard(value.text.split('*'))
      return (found) => typeof found === 'string' && test(found)
    }
  }
  const number = value.quoted ? null : readNumber(value.text)
  if (number !== null) {
    return (found) => typeof found === 'number' && compares(found, comparison, number)
  }
  return (found) => typeof found === 'string' && compares(found, comparison, value.text)
}

function compares<T extends number | string>(
  a: T,
  comparison: BodyTest['comparison'],
  b: T,
): boolean {
  switch (comparison) {
    case '=':
      return a === b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}

/** Every value that the path leads to. */
function follow(body: unknown, path: readonly string[]): readonly unknown[] {
  let found: readonly unknown[] = [body]
  for (const key of path) {
    found = elements(found).flatMap((value) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? [Reflect.get(value, key)]
        : [],
    )
  }
  return found
}

/** The values, with the elements of an array in its place, however deep. No recursion: a body may be nothing but brackets. */
function elements(values: readonly unknown[]): readonly unknown[] {
  if (!values.some((value) => Array.isArray(value))) return values
  const flat: unknown[] = []
  const left: unknown[] = [...values]
  while (left.length > 0) {
    const value = left.pop()
    if (Array.isArray(value)) for (const element of value) left.push(element)
    else flat.push(value)
  }
  return flat
}

/** Nothing outside these microseconds since the epoch matches; null: no end. */
export interface Received {
  readonly from: number | null
  readonly to: number | null
}

/** What `since` and `before` say for the whole of a filter. */
export function receivedBy(filter: Filter, world: Pick<FilterContext, 'asOf'>): Received {
  const terms = topTerms(filter).filter((term): term is Term => term.kind === 'field')
  const moments = (field: string): number[] =>
    terms
      .filter((term) => term.field === field)
      .map((term) => term.values.map(({ text }) => micros(text, world)))
      .map((values) => (field === 'since' ? Math.min(...values) : Math.max(...values)))
  const from = moments('since')
  const to = moments('before')
  return {
    from: from.length > 0 ? Math.max(...from) : null,
    to: to.length > 0 ? Math.min(...to) : null,
  }
}
