import { amountAsSent, endsWithPrefix, type Text } from '#engine/search/matching.ts'

/**
 * Returns the words of a text, separated by spaces, much as the search index has them (`unicode61` with `remove_diacritics 2`). SQLite's tables use an older
 * version of Unicode, and keep the letters of some scripts that decompose.
 */
export function normalizedText(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{Co}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Returns words in a form in which consecutive words can be found as a substring. */
export function joinedSearchTerms(text: string): string {
  return ` ${normalizedText(text)} `
}

/** Returns a test for these consecutive words in joined words. The last word must be complete unless it is a prefix. */
export function phraseTest(text: Pick<Text, 'text' | 'quoted'>): (joined: string) => boolean {
  const words = normalizedText(text.text)
  if (words === '') return () => false
  const sent = amountAsSent(text)
  const phrases = [
    endsWithPrefix(text) ? ` ${words}` : ` ${words} `,
    ...(sent === null ? [] : [joinedSearchTerms(sent)]),
  ]
  return (joined) => phrases.some((phrase) => joined.includes(phrase))
}
