import { isOpen } from '#engine/search/text-match.ts'
import type { Text } from '#engine/search/world.ts'
import { plainWords } from './plain-words.ts'

/** Words in a form in which words that follow each other are found as a piece of text. */
export function joinedWords(text: string): string {
  return ` ${plainWords(text)} `
}

/** A test for joined words: these words one after the other, the last one whole unless it is only the beginning of one. */
export function phraseTest(text: Pick<Text, 'text' | 'quoted'>): (joined: string) => boolean {
  const words = plainWords(text.text)
  if (words === '') return () => false
  const phrase = isOpen(text) ? ` ${words}` : ` ${words} `
  return (joined) => joined.includes(phrase)
}
