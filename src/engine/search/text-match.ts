/**
 * Text of the user as a query of FTS5: its words in this order, nothing of it an operator. A `*` at its end finds words that begin with the
 * last one.
 */
export function phrase(text: string): string {
  // A quotation mark ends a string of FTS5, and a NUL the whole query; between words they mean no more than a space.
  const words = text.replaceAll(/["\0]/g, ' ').trim()
  return words.endsWith('*') ? `"${words}" *` : `"${words}"`
}
