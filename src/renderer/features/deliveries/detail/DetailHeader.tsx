import { ChevronDown, PenLine, Pin, X } from 'lucide-react'
import type { DeliverySummary } from '#contract/models.ts'
import { Button, IconButton } from '../../../components/Button.tsx'
import { byteSize } from '../../../components/text/numbers.ts'
import { span } from '../../../components/text/time.ts'
import { cut, visible } from '../../../components/text/visible.ts'
import { ClockTime } from '../../../components/Time.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { answerOf, ownSentence } from '../answered.ts'
import { togglePin } from '../pin.ts'
import { ShareMenu } from '../../logs/share/ShareMenu.tsx'
import { useCan } from '../../shell/store.ts'
import { useEditable, useLog } from '../scope/scope.ts'
import { closeDelivery } from '../store.ts'
import { Shown } from '../../../components/Shown.tsx'
import { NoteEditor, NoteText } from './NoteEditor.tsx'
import { TagEditor } from './TagEditor.tsx'
import './Annotations.css'
import { ResendButton } from '../../attempts/ResendButton.tsx'
import { cancelResend } from '../../attempts/resend.ts'
import { askWhereTo, useAttemptsStore } from '../../attempts/store.ts'
import { addressOf } from '../../compose/address.ts'

interface Props {
  readonly row: DeliverySummary | null
  /** Null: not here yet. */
  readonly note: string | null
  /** Tags or note were changed. */
  readonly onAnnotated: () => void
}

/** What the delivery is, in a line, what the user says of it, and what can be done with it. */
export function DetailHeader({ row, note, onAnnotated }: Props) {
  const client = useClient()
  const editable = useEditable()
  const editing = useCan('editing')
  const log = useLog()
  if (!row) return null
  const title = visible(cut(row.title === '' ? `${row.method} ${row.path}` : row.title, 300))
  return (
    <header className="detail-head">
      <h2>{title}</h2>
      <ul className="detail-facts">
        <li className="mono">#{row.id}</li>
        <li className="mono">{row.type === null ? 'no type' : visible(cut(row.type, 80))}</li>
        <li>
          <ClockTime at={row.receivedAt} />
        </li>
        <li>{byteSize(row.bytes)}</li>
        {row.createdAt !== null && (
          <li title="From the event’s createdAt to its arrival here">
            lag {span(row.receivedAt - row.createdAt)}
          </li>
        )}
        <li>{answerOf(row)}</li>
        {!editable && row.pinned && <li>pinned</li>}
        {row.own !== null && <li>{ownSentence(row.own)}</li>}
      </ul>
      <div className="detail-own">
        <Annotations row={row} note={note} onChanged={onAnnotated} />
        <DetailActions row={row} />
      </div>
      {editing && <ShareMenu log={log} id={row.id} title={title} />}
      {editable && (
        <Button
          aria-pressed={row.pinned}
          title={row.pinned ? 'Pinned: retention leaves it' : 'Pin'}
          hint="b"
          icon={<Pin aria-hidden />}
          onClick={() => togglePin(client, row)}
        >
          {row.pinned ? 'Pinned' : 'Pin'}
        </Button>
      )}
      <IconButton label="Close (Esc)" className="detail-close" onClick={closeDelivery}>
        <X aria-hidden />
      </IconButton>
    </header>
  )
}

interface AnnotationsProps {
  readonly row: DeliverySummary
  /** Null: not here yet. */
  readonly note: string | null
  /** It was changed: the whole of it is to be read again. */
  readonly onChanged: () => void
}

/** The user's own words about a delivery: tags and a note. */
function Annotations({ row, note, onChanged }: AnnotationsProps) {
  const editable = useEditable()
  if (!editable) return <Written row={row} note={note} />
  return (
    <div className="annotations" role="group" aria-label="Tags and note">
      <TagEditor row={row} onChanged={onChanged} />
      <NoteEditor id={row.id} note={note} onChanged={onChanged} />
    </div>
  )
}

/** The same where nothing can be changed; nothing where nothing was written. */
function Written({ row, note }: Pick<AnnotationsProps, 'row' | 'note'>) {
  const noted = note !== null && note !== ''
  if (row.tags.length === 0 && !noted) return null
  return (
    <div className="annotations" role="group" aria-label="Tags and note">
      {row.tags.map((tag) => (
        <span className="own-tag" key={tag} data-fixed>
          <Shown text={tag} />
        </span>
      ))}
      {noted && <NoteText note={note} />}
    </div>
  )
}

/** Sending it again: where it went last, to another address, or edited first. What a log holds goes out only as a draft of one's own. */
function DetailActions({ row }: { readonly row: DeliverySummary }) {
  const { id } = row
  const log = useLog()
  const editable = useEditable()
  if (!useCan('editing')) return null
  return (
    <div className="detail-actions" role="group" aria-label="Send it again">
      {editable && <ResendButtons row={row} />}
      <a
        className="button"
        href={addressOf({ kind: 'delivery', id, log })}
        aria-keyshortcuts="e"
        title="Change it, or where it goes, before it is sent"
      >
        <PenLine aria-hidden /> Edit and send <kbd aria-hidden>E</kbd>
      </a>
    </div>
  )
}

function ResendButtons({ row }: { readonly row: DeliverySummary }) {
  const client = useClient()
  const { id } = row
  const sending = useAttemptsStore((state) => state.sending.has(id))
  return (
    <span className="split-button">
      <ResendButton delivery={row} />
      {sending ? (
        <Button
          aria-label="Cancel"
          title="Stop waiting for the answer"
          onClick={() => cancelResend(client, id)}
        >
          <X aria-hidden />
        </Button>
      ) : (
        <Button
          aria-label="Re-send to…"
          aria-keyshortcuts="Shift+R"
          title="Send it again to another place (Shift R)"
          onClick={() => askWhereTo(id)}
        >
          <ChevronDown aria-hidden />
        </Button>
      )}
    </span>
  )
}
