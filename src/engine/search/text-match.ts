import type { PrefixExpansion } from './filter-context.ts'
import type { Text } from './filter-context.ts'

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
