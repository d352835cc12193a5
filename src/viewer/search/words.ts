/** The words of a text as the search index of Tabscope reads them: letters and digits, without marks, whatever their case. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
  return plain.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
}

/** Words in a form in which words that follow each other are found as a piece of text. */
export function joinedWords(text: string): string {
  return ` ${wordsOf(text).join(' ')} `
}

/** A test for joined words: these words one after the other, the last one whole unless the text ends with `*`. */
export function phraseTest(text: string): (joined: string) => boolean {
  const words = wordsOf(text)
  if (words.length === 0) return () => false
  const phrase = ` ${words.join(' ')}${text.endsWith('*') ? '' : ' '}`
  return (joined) => joined.includes(phrase)
}
