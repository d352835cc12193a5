import type { LogHead } from '#contract/event-log.ts'

/** What was taken out, as a sentence: `Taken out: 12 handle, 3 email.`; empty: nothing. */
export function removedSentence(removed: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(removed).filter(([, values]) => values > 0)
  if (kinds.length === 0) return ''
  const words = kinds.map(([kind, values]) => `${values} ${kind.replaceAll('_', ' ')}`)
  return `Taken out: ${words.join(', ')}.`
}

/** What a reader must know of the redaction, and what it took out so far: sentences. */
export function redactionWords(
  { redaction }: LogHead,
  removed: Readonly<Record<string, number>>,
): string[] {
  return [redaction.note, removedSentence(removed)].filter((text) => text !== '')
}
