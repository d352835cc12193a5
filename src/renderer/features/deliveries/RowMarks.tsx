import { CircleDot, Repeat2, SendHorizontal, StickyNote } from 'lucide-react'
import type { DeliverySummary } from '#contract/models.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { ownSentence } from './answered.ts'

/** That the same came before: a quiet mark before the title. */
export function Again({ repeats }: { readonly repeats: NonNullable<DeliverySummary['repeats']> }) {
  const what = repeats.by === 'body' ? 'The same bytes' : 'The same event'
  return (
    <span className="row-again" title={`${what} as #${repeats.id}`}>
      <Repeat2 aria-hidden />
      again
    </span>
  )
}

const tagsDrawn = 2

/** That there is a note, and the first tags. */
export function OwnMarks({ row }: { readonly row: DeliverySummary }) {
  if (!row.noted && row.tags.length === 0) return null
  const more = row.tags.length - tagsDrawn
  return (
    <span className="own-marks" title={visible(cut(row.tags.join(', '), 200)) || undefined}>
      {row.noted && (
        <>
          <StickyNote aria-hidden />
          <span className="visually-hidden">noted</span>
        </>
      )}
      {row.tags.slice(0, tagsDrawn).map((tag) => (
        <span key={tag} className="own-mark">
          {visible(cut(tag, 14))}
        </span>
      ))}
      {more > 0 && <span className="own-mark">+{more}</span>}
    </span>
  )
}

/** That it came from Tabscope itself. */
export function FromHere({ own }: { readonly own: NonNullable<DeliverySummary['own']> }) {
  return (
    <span className="row-mark" title={ownSentence(own)}>
      <CircleDot aria-hidden />
      <span className="row-mark-words">from Tabscope</span>
    </span>
  )
}

interface SentProps {
  readonly sent: DeliverySummary['sent']
  /** It is being sent again now. */
  readonly sending: boolean
}

/** What became of the last attempt. */
export function SentMark({ sent, sending }: SentProps) {
  if (sending) return <span className="row-mark row-sending">sending</span>
  if (sent === null) return null
  const well = sent.status !== null && sent.status >= 200 && sent.status < 300
  return (
    <span
      className="row-mark"
      data-failed={!well || undefined}
      title="What became of the last time it was sent on"
    >
      <SendHorizontal aria-hidden />
      <span>
        <span className="sent-word">{sent.status === null ? 'sent, ' : 'sent '}</span>
        {sent.status ?? 'no answer'}
      </span>
    </span>
  )
}
