import type { LogHead } from '#contract/event-log.ts'

/** What was redacted, as a sentence: `Redacted: handle (12), e-mail (3).`; empty: nothing. */
export function removedSentence(removed: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(removed).filter(([, values]) => values > 0)
  if (kinds.length === 0) return ''
  const words = kinds.map(
    ([kind, values]) => `${kind === 'email' ? 'e-mail' : kind.replaceAll('_', ' ')} (${values})`,
  )
  return `Redacted: ${words.join(', ')}.`
}

/** What a reader must know of the redaction, and what it replaced so far: sentences. */
export function redactionSentences(
  { redaction }: LogHead,
  removed: Readonly<Record<string, number>>,
): string[] {
  return [redaction.note, removedSentence(removed)].filter((text) => text !== '')
}
