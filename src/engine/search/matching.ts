import type { Filter, FilterValue, Comparison } from '#contract/filter/ast.ts'
import { isNone, isWildcard, jsonLiteral } from '#contract/filter/check.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { readDuration, readEndOfTime, readNumber, readTime } from '#contract/filter/values.ts'
import { utf8AsLatin1 } from '../payload/conformance/received-headers.ts'
import { topTerms } from '#contract/filter/edit.ts'

/** Words that complete a text whose last word is a prefix. */
export interface PrefixExpansion {
  readonly before: string
  readonly last: string
  /** Null if there are too many. */
  readonly words: readonly string[] | null
}

export type Text = Extract<Filter, { kind: 'text' }>
export type Term = Extract<Filter, { kind: 'field' }>

export interface FilterContext {
  /** `since:2h` is relative to this, in milliseconds since the epoch. */
  readonly asOf: number
  readonly endpoints: readonly {
    readonly id: number
    readonly name: string
    readonly slug: string
    readonly integration: { readonly id: number; readonly name: string }
  }[]
  readonly expandPrefix: (text: Text) => PrefixExpansion
}

/** `none` means "without one". */
export function isNoneOf(term: Term, value: FilterValue): boolean {
  const field = fieldOf(term.field)
  return field !== undefined && isNone(field, value)
}

const mirrored = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '!=': '!=' } as const

/** Of `created`: `<1h` is less than an hour ago, `<2026-03-14` before that day. In milliseconds since the epoch. */
export function ageTest(
  { comparison, values }: Term,
  { asOf }: Pick<FilterContext, 'asOf'>,
): { comparison: Comparison; at: number } {
  const text = values[0]?.text ?? ''
  const at = readTime(text, asOf) ?? 0
  return { at, comparison: readDuration(text) === null ? comparison : mirrored[comparison] }
}

/** For a `name` field: ignores case and diacritics. `text` may have several lines, of which one must match. */
export function nameTest(pieces: readonly string[]): (text: string) => boolean {
  const test = wildcard(pieces.map(plain))
  return (text) => text.split('\n').some((line) => test(plain(line)))
}

/** The parts between wildcards (`*`). Quoted values have no wildcards. */
export function piecesOf(value: FilterValue): readonly string[] {
  return value.quoted ? [value.text] : value.text.split('*')
}

/** Microseconds since the epoch, for `since`, `before` and `until`. */
export function micros(field: string, text: string, { asOf }: Pick<FilterContext, 'asOf'>): number {
  const time = field === 'until' ? readEndOfTime(text, asOf) : readTime(text, asOf)
  // Rounded up, as `received_us` is: a delivery within the microsecond is not before it.
  return Math.ceil((time ?? 0) * 1000)
}

/** By name or slug (case-insensitive), or by ID, which also finds deleted endpoints. */
export function endpointIds(term: Term, { endpoints }: Pick<FilterContext, 'endpoints'>): number[] {
  const ids = new Set<number>()
  for (const value of term.values) {
    if (isNoneOf(term, value)) continue
    const matches = wildcard(piecesOf(value).map((piece) => piece.toLowerCase()))
    for (const { id, name, slug } of endpoints) {
      if (matches(name.toLowerCase()) || matches(slug)) ids.add(id)
    }
    if (/^\d{1,15}$/.test(value.text)) ids.add(Number(value.text))
  }
  return [...ids].sort((a, b) => a - b)
}

/** By the name (case-insensitive) or ID of their integration. */
export function integrationEndpointIds(
  term: Term,
  { endpoints }: Pick<FilterContext, 'endpoints'>,
): number[] {
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const tests = named.map((value) => ({
    matches: wildcard(piecesOf(value).map((piece) => piece.toLowerCase())),
    number: value.text,
  }))
  return endpoints
    .filter(({ integration: { id, name } }) =>
      tests.some(({ matches, number }) => matches(name.toLowerCase()) || number === String(id)),
    )
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
}

/** Any or no characters may be between the pieces. Takes linear time: each piece is searched for once, after the previous one. */
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

/** An FTS5 query for words in order, without operators. FTS5 would read all entries with a prefix, so `expand` lists the words. */
export function phrase(text: Text, expand: () => PrefixExpansion): string {
  const sent = amountAsSent(text)
  const written = writtenPhrase(text, expand)
  return sent === null ? written : `(${written} OR ${quoted(sent)})`
}

/** The list shows an amount with two decimals, but a sender may leave out zeros at its end: `42.50` is `42.5`, and `42.00` is `42`. Null: there are none. */
export function amountAsSent({ text }: Pick<Text, 'text'>): string | null {
  return /^\d{1,12}\.\d0$/.test(text) ? String(Number(text)) : null
}

function writtenPhrase(text: Text, expand: () => PrefixExpansion): string {
  if (!endsWithPrefix(text)) return quoted(text.text)
  const { before, last, words } = expand()
  if (words === null) return `${quoted(`${before} ${last}`)} *`
  if (words.length === 0) return '""'
  return `(${words.map((word) => quoted(`${before} ${word}`)).join(' OR ')})`
}

/** If the text is not quoted, or ends with `*`. */
export function endsWithPrefix({ text, quoted: isQuoted }: Pick<Text, 'text' | 'quoted'>): boolean {
  return !isQuoted || text.endsWith('*')
}

/** For FTS5. Quotation marks would end the string, NULs the query. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\0]/g, ' ')}"`
}

/** Ignores case and diacritics. */
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
  // Most texts are ASCII, which has no diacritics.
  const letters = /[^\0-\x7f]/.test(text) ? text.normalize('NFD').replaceAll(/\p{Mn}/gu, '') : text
  return letters.toLowerCase()
}

/** A `header:x=y` term. Passed through SQL as JSON. */
export interface HeaderTest {
  readonly name: string
  /** Empty: the header is present. */
  readonly values: readonly Pick<FilterValue, 'text' | 'quoted'>[]
}

/** For stored headers: names and values alternately, joined by line feeds. */
export function headerTest({ name, values }: HeaderTest): (headers: string) => boolean {
  // Headers are stored as Latin-1 even if their bytes are UTF-8, so both spellings are tried.
  const wanted = values.flatMap((value) => {
    const { text } = value
    const bytes = utf8AsLatin1(text)
    const spellings = bytes === text ? [text] : [text, bytes]
    return spellings.map((spelling) =>
      isWildcard(value)
        ? wildcard(spelling.split('*'))
        : (received: string) => received === spelling,
    )
  })
  return (headers) => {
    for (let at = 0; at <= headers.length;) {
      const nameTo = endOfLine(headers, at)
      const valueTo = endOfLine(headers, nameTo + 1)
      // Comparing lengths first excludes most names.
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

/** A `data.x` or `body.x` term. Passed through SQL as JSON. */
export interface BodyTest {
  /** From the root. */
  readonly path: readonly string[]
  /** The SQL adds `NOT` for `!=`. */
  readonly comparison: Exclude<Comparison, '!='>
  readonly values: readonly Pick<FilterValue, 'text' | 'quoted'>[]
}

/** Any element of an array along the path may match. Numbers are compared with numbers, text with text. `*` alone matches any value. */
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

export function compares<T extends number | string>(
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

/** Not recursive, since a body may consist of deeply nested brackets. */
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

/** In microseconds since the epoch. Null: no limit. */
export interface Received {
  readonly from: number | null
  readonly to: number | null
}

/** Set by `since`, `before` and `until` for the complete filter. */
export function receivedBy(filter: Filter, context: Pick<FilterContext, 'asOf'>): Received {
  const terms = topTerms(filter).filter((term): term is Term => term.kind === 'field')
  const moments = (field: string): number[] =>
    terms
      .filter((term) => term.field === field)
      .map((term) => term.values.map(({ text }) => micros(field, text, context)))
      .map((values) => (field === 'since' ? Math.min(...values) : Math.max(...values)))
  const from = moments('since')
  const to = [...moments('before'), ...moments('until')]
  return {
    from: from.length > 0 ? Math.max(...from) : null,
    to: to.length > 0 ? Math.min(...to) : null,
  }
}
