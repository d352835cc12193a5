import type { LogFormatView, LogWith } from '#contract/logs.ts'
import type { KeepableClass } from '#contract/redaction.ts'
import { notRedacted, redactedNote } from './head.ts'

/** What is to be known before a file leaves, as sentences. */
export function previewNotes(
  format: Pick<LogFormatView, 'label' | 'comfortable' | 'returns'>,
  wish: {
    readonly redact: boolean
    readonly keep: readonly KeepableClass[]
    readonly with: LogWith
  },
  { deliveries, behind }: { readonly deliveries: number; readonly behind: number },
): string[] {
  const notes = [wish.redact ? redactedNote(wish.keep) : notRedacted]
  if (behind > 0) {
    notes.push(`${behind} deliveries are still to go into the search index. It waits for them.`)
  }
  if (format.comfortable !== null && deliveries > format.comfortable) {
    notes.push(
      `${format.label} is unwieldy above ${format.comfortable} deliveries where it is opened. Choose fewer, or an event log, which can be as large as you like.`,
    )
  }
  switch (format.returns) {
    case 'whole':
      break
    case 'in_part':
      notes.push('Opened in Tabscope again, it tells less than an event log.')
      break
    case 'no':
      notes.push('It cannot be opened in Tabscope again: that is what the event log is for.')
      break
  }
  return notes
}
