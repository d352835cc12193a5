import { Pin, X } from 'lucide-react'
import type { DeliverySummary } from '#contract/models.ts'
import { Button, IconButton } from '../../../components/Button.tsx'
import { byteSize } from '../../../components/text/numbers.ts'
import { span } from '../../../components/text/time.ts'
import { cut, visible } from '../../../components/text/visible.ts'
import { ClockTime } from '../../../components/Time.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { answerOf, ownSentence } from '../answered.ts'
import { togglePin } from '../pin.ts'
import { Annotations } from './Annotations.tsx'
import { DetailActions } from './DetailActions.tsx'
import { ShareMenu } from '../../logs/share/ShareMenu.tsx'
import { useCan } from '../../shell/store.ts'
import { useEditable, useLog } from '../scope/scope.ts'
import { closeDelivery } from '../store.ts'

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
        <DetailActions id={row.id} />
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
