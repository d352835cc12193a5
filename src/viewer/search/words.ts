import { plainWords } from './plain-words.ts'

/** Words in a form in which words that follow each other are found as a piece of text. */
export function joinedWords(text: string): string {
  return ` ${plainWords(text)} `
}

/** A test for joined words: these words one after the other, the last one whole unless the text ends with `*`. */
export function phraseTest(text: string): (joined: string) => boolean {
  const words = plainWords(text)
  if (words === '') return () => false
  const phrase = text.endsWith('*') ? ` ${words}` : ` ${words} `
  return (joined) => joined.includes(phrase)
}
