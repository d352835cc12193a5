import type { Filter } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { Mark } from '../../ui/text/search-terms.ts'
import { joined, marksOf } from '../../ui/text/search-terms.ts'
import { cut, visible } from '../../ui/text/visible.ts'
import { match } from './match.ts'
import type { Matchable } from './match.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const verdicts: readonly string[] = ['valid', 'invalid', 'missing', 'unsigned']
const longestWord = 200

/** The number of a delivery that was written: `12` or `#12`; null: it is something else. */
export function numberIn(query: string): number | null {
  const [, digits] = /^\s*#?(\d{1,15})\s*$/.exec(query) ?? []
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}

/** Whether nothing but one delivery, or what one id is of, can be meant. */
export function meansOne(query: string): boolean {
  return /^\s*#\d+\s*$/.test(query) || uuid.test(query.trim())
}

/**
 * What was typed as a filter: itself where it is written in the filter language, else deliveries that have each of its words, with verdicts
 * and ids taken as such. Empty: nothing was typed that can be looked for.
 */
export function filterOf(query: string): string {
  const text = query.trim()
  const parsed = parseFilter(text)
  if (parsed.ok && hasField(parsed.filter)) return text
  const parts = text
    .split(/\s+/)
    // Text is found by its letters and digits.
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => termOf(word.slice(0, longestWord)))
  const [first] = parts
  if (first === undefined) return ''
  return printFilter(parts.length === 1 ? first : { ...nowhere, kind: 'and', parts })
}

/** What is made here stands nowhere in a text. */
const nowhere = { from: 0, to: 0 }

function termOf(word: string): Filter {
  const small = word.toLowerCase()
  if (verdicts.includes(small)) return field('verdict', small)
  if (uuid.test(word)) return field('ref', word)
  return { ...nowhere, kind: 'text', text: word, quoted: false }
}

function field(name: string, text: string): Filter {
  return {
    ...nowhere,
    kind: 'field',
    field: name,
    path: [],
    comparison: '=',
    values: [{ ...nowhere, text, quoted: false }],
  }
}

function hasField(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'text':
      return false
    case 'field':
      return true
    case 'not':
      return true
    case 'and':
    case 'or':
      return filter.parts.some(hasField)
  }
}

/** What of a delivery is shown, hostile characters made visible. */
export function deliveryLabels(row: DeliverySummary): {
  readonly type: string
  readonly title: string
} {
  return {
    type: row.type === null ? `${row.method} no type` : visible(cut(row.type, 60)),
    title: visible(cut(row.title === '' ? row.path : row.title, 200)),
  }
}

/** A delivery as words are compared with it, for those that are known here: type and title, as they are shown, are its label. */
export function matchableOf(row: DeliverySummary): Matchable {
  const { type, title } = deliveryLabels(row)
  return {
    label: `${type} ${title}`,
    group: `#${row.id} ${row.verdict}`,
    words: `${row.locationName ?? ''} ${row.target ?? ''}`,
  }
}

/** What of type and title was matched by what was typed, and every other place of its words: they stand in both. */
export function deliveryMarks(
  words: readonly string[],
  row: DeliverySummary,
): { readonly type: readonly Mark[]; readonly title: readonly Mark[] } {
  const matchable = matchableOf(row)
  const { length } = deliveryLabels(row).type
  // A letter alone is everywhere.
  const longer = words.filter((word) => word.length > 1)
  const marks = joined([
    ...(match(words, matchable)?.marks ?? []),
    ...marksOf(longer, matchable.label),
  ])
  return {
    type: marks.filter(([from]) => from < length).map(([from, to]) => [from, Math.min(to, length)]),
    title: marks
      .filter(([, to]) => to > length + 1)
      .map(([from, to]) => [Math.max(from - length - 1, 0), to - length - 1]),
  }
}
