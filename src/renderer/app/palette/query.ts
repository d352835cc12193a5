import { deliveryTitle } from '#parts/EventIcon.tsx'
import type { Filter } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { type Mark, marksOf } from '#kit/text/search-terms.ts'
import { shortText } from '#kit/text/visible.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const verdicts: readonly string[] = ['valid', 'invalid', 'missing', 'unsigned']
const maxWordLength = 200

/** The delivery number in a query: `12` or `#12`; null if the query is something else. */
export function numberIn(query: string): number | null {
  const [, digits] = /^\s*#?(\d{1,15})\s*$/.exec(query) ?? []
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}

/** Whether the query can only be a delivery number or an ID. */
export function isDeliveryId(query: string): boolean {
  return /^\s*#\d+\s*$/.test(query) || uuid.test(query.trim())
}

/**
 * The query as a filter. A query in the filter language is returned unchanged. Otherwise the filter matches deliveries that contain every word,
 * and treats verdicts and IDs as such. Empty if there is nothing to search for.
 */
export function filterOf(query: string): string {
  const text = query.trim()
  const parsed = parseFilter(text)
  if (parsed.ok && hasField(parsed.filter)) return text
  const parts = text
    .split(/\s+/)
    // The text search only considers letters and digits.
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => termOf(word.slice(0, maxWordLength)))
  const [first] = parts
  if (first === undefined) return ''
  return printFilter(parts.length === 1 ? first : { ...noPosition, kind: 'and', parts })
}

/** The nodes built here have no position in a text. */
const noPosition = { from: 0, to: 0 }

function termOf(word: string): Filter {
  const small = word.toLowerCase()
  if (verdicts.includes(small)) return field('verdict', small)
  if (uuid.test(word)) return field('ref', word)
  return { ...noPosition, kind: 'text', text: word, quoted: false }
}

function field(name: string, text: string): Filter {
  return {
    ...noPosition,
    kind: 'field',
    field: name,
    path: [],
    comparison: '=',
    values: [{ ...noPosition, text, quoted: false }],
  }
}

function hasField(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'text':
      return false
    case 'field':
    case 'not':
      return true
    case 'and':
    case 'or':
      return filter.parts.some(hasField)
  }
}

/** The type and title of a delivery, with control characters made visible. */
export function deliveryLabels(row: DeliverySummary) {
  return {
    type: row.type === null ? `${row.method} no type` : shortText(row.type, 60),
    title: shortText(deliveryTitle(row), 200),
  }
}

/** The parts of type and title that contain a word. */
export function deliveryMarks(
  words: readonly string[],
  row: DeliverySummary,
): { readonly type: readonly Mark[]; readonly title: readonly Mark[] } {
  const { type, title } = deliveryLabels(row)
  // A single letter would match everywhere.
  const longWords = words.filter((word) => word.length > 1)
  return { type: marksOf(longWords, type), title: marksOf(longWords, title) }
}
