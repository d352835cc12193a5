import type { LogHead } from '#contract/event-log.ts'

/** What was taken out, as a sentence: `Taken out: 12 handle, 3 email.`; empty: nothing. */
function removedSentence(removed: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(removed).filter(([, values]) => values > 0)
  if (kinds.length === 0) return ''
  const words = kinds.map(([kind, values]) => `${values} ${kind.replaceAll('_', ' ')}`)
  return `Taken out: ${words.join(', ')}.`
}

/** What a reader must know of the redaction, with what it took out so far. */
export function redactionWords(
  { redaction }: LogHead,
  removed: Readonly<Record<string, number>>,
): string {
  return [redaction.note, removedSentence(removed)].filter(Boolean).join(' ')
}
