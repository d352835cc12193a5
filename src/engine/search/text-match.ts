/**
 * Text of the user as a query of FTS5: its words in this order, nothing of it an operator. Where it ends with `*` its last word may be any
 * of `endings`, as `endingsOf` finds them: a prefix of FTS5 itself reads all that begins so, wherever it is, at each query.
 */
export function phrase(text: string, endings: () => Endings): string {
  if (!isOpen(text)) return quoted(text)
  const { before, words } = endings()
  if (words.length === 0) return '""'
  return `(${words.map((word) => quoted(`${before} ${word}`)).join(' OR ')})`
}

/** Words that a text with `*` at its end may end with. */
export interface Endings {
  /** The words before the last. */
  readonly before: string
  readonly words: readonly string[]
}

/** Whether the last word of the text is only the beginning of one. */
export function isOpen(text: string): boolean {
  return text.endsWith('*')
}

/** A quotation mark ends a string of FTS5, and a NUL the whole query; between words they mean no more than a space. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\0]/g, ' ')}"`
}
