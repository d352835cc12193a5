import { unknownTime } from '#contract/constants.ts'
import { describeFinding, severityOf } from '#catalogue/findings.ts'
import { causeTitle } from '#catalogue/cause-titles.ts'
import { formatSize, plural, formatDuration } from '#shared/text/format.ts'
import {
  ArrowRightLeft,
  CircleDot,
  Pin,
  PinOff,
  Repeat2,
  SendHorizontal,
  Split,
  StickyNote,
} from '../../ui/icons.tsx'
import { memo } from 'react'
import type { DeliverySummary, Severity } from '#contract/models.ts'
import { severityTone, VerdictMark } from '../../ui/Mark.tsx'
import { truncate, escapeControls } from '../../ui/text/visible.ts'
import { ClockTime } from '../../ui/Time.tsx'
import { describeResponse, describeSender, statusLabel } from './response-text.ts'

function DuplicateMark({
  repeats,
}: {
  readonly repeats: NonNullable<DeliverySummary['duplicateOf']>
}) {
  const what = repeats.by === 'body' ? 'Same bytes' : 'Same event'
  return (
    <span className="row-mark" title={`${what} as #${repeats.id}`}>
      <Repeat2 aria-hidden />
      duplicate
    </span>
  )
}

const tagsDrawn = 2

/** Shows whether there is a note, and the first tags. */
function OwnMarks({ row }: { readonly row: DeliverySummary }) {
  if (!row.noted && row.tags.length === 0) return null
  const more = row.tags.length - tagsDrawn
  return (
    <span
      className="own-marks"
      title={escapeControls(truncate(row.tags.join(', '), 200)) || undefined}
    >
      {row.noted && (
        <>
          <StickyNote aria-hidden />
          <span className="visually-hidden">noted</span>
        </>
      )}
      {row.tags.slice(0, tagsDrawn).map((tag) => (
        <span key={tag} className="own-mark">
          {escapeControls(truncate(tag, 14))}
        </span>
      ))}
      {more > 0 && <span className="own-mark">+{more}</span>}
    </span>
  )
}

function OwnSenderMark({ own }: { readonly own: NonNullable<DeliverySummary['sentBy']> }) {
  return (
    <span className="row-mark" title={describeSender(own)}>
      <CircleDot aria-hidden />
      <span className="row-mark-words">from Tabscope</span>
    </span>
  )
}

interface SentProps {
  readonly sent: DeliverySummary['lastAttempt']
  readonly sending: boolean
}

function SentMark({ sent, sending }: SentProps) {
  if (sending) return <span className="row-mark tone-accent">sending</span>
  if (sent === null) return null
  const succeeded = sent.status !== null && sent.status >= 200 && sent.status < 300
  return (
    <span className="row-mark" data-failed={!succeeded || undefined} title="Last send result">
      <SendHorizontal aria-hidden />
      <span>
        <span className="sent-word">{sent.status === null ? 'sent, ' : 'sent '}</span>
        {sent.status ?? 'no response'}
      </span>
    </span>
  )
}

interface Props {
  readonly row: DeliverySummary
  /** Zero-based position in the list. */
  readonly index: number
  readonly top: number
  readonly selected: boolean
  readonly inSelection: boolean
  readonly sending: boolean
  readonly editable: boolean
  readonly selectable: boolean
  /** The name of its endpoint; null hides the column. */
  readonly endpoint: string | null
  readonly onOpen: (id: number) => void
  readonly onPin: (row: DeliverySummary) => void
  /** `range`: select everything from the start of the range as well. */
  readonly onSelect: (id: number, index: number, range: boolean) => void
}

/** The element ID of a row, for `aria-activedescendant`. */
export function rowElementId(id: number): string {
  return `delivery-${id}`
}

/** A row of the list. Its position changes with each new delivery, which is cheap; its cells are memoized. */
export function DeliveryRow(props: Props) {
  const { row, index, top, selected, inSelection, sending, editable, selectable, endpoint } = props
  const { onOpen, onPin, onSelect } = props
  return (
    // The grid has the focus and handles keys; clicks are the pointer equivalent.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      className="delivery-row"
      role="row"
      id={rowElementId(row.id)}
      data-testid="delivery-row"
      data-id={row.id}
      data-verdict={row.verdict}
      data-pinned={row.pinned || undefined}
      aria-rowindex={index + 2}
      aria-selected={selected || inSelection}
      data-current={selected || undefined}
      data-selected={inSelection || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => {
        if (event.altKey) return
        if (selectable && (event.shiftKey || event.ctrlKey || event.metaKey)) {
          onSelect(row.id, index, event.shiftKey)
        } else onOpen(row.id)
      }}
    >
      <span className="c-select" role={selectable ? 'gridcell' : 'presentation'}>
        {selectable && (
          <input
            type="checkbox"
            tabIndex={-1}
            checked={inSelection}
            aria-label={`Select #${row.id}`}
            title={editable ? 'Select to re-send (X)' : 'Select (X)'}
            onChange={() => undefined}
            onClick={(event) => {
              event.stopPropagation()
              onSelect(row.id, index, event.shiftKey)
            }}
          />
        )}
      </span>
      <Cells row={row} sending={sending} editable={editable} endpoint={endpoint} onPin={onPin} />
    </div>
  )
}

const Cells = memo(function Cells({
  row,
  sending,
  editable,
  endpoint,
  onPin,
}: Pick<Props, 'row' | 'sending' | 'editable' | 'endpoint' | 'onPin'>) {
  const [cause] = row.causes ?? []
  const { createdAt, receivedAt } = row
  const lag = createdAt === null || receivedAt === unknownTime ? null : receivedAt - createdAt
  return (
    <>
      <span role="gridcell" className="c-id mono dim">
        #{row.id}
      </span>
      <span role="gridcell" className="c-time mono mid">
        <ClockTime at={row.receivedAt} />
      </span>
      <span role="gridcell" className="c-verdict">
        <VerdictMark
          verdict={row.verdict}
          atArrival={row.recheck?.verdictAtArrival}
          why={cause && escapeControls(truncate(causeTitle(cause.code), 160))}
        />
      </span>
      <span role="gridcell" className="c-type mono cut">
        {row.type === null ? (
          <span className="dim">{row.method} no type</span>
        ) : (
          escapeControls(truncate(row.type, 60))
        )}
      </span>
      <span
        role="gridcell"
        className="c-title cut"
        title={escapeControls(truncate(row.target ?? row.path, 200))}
      >
        {row.duplicateOf && <DuplicateMark repeats={row.duplicateOf} />}
        {row.sentBy && <OwnSenderMark own={row.sentBy} />}
        <SentMark sent={row.lastAttempt} sending={sending} />
        <OwnMarks row={row} />
        {escapeControls(truncate(row.title === '' ? row.path : row.title, 200))}
      </span>
      <span
        role="gridcell"
        className="c-target mono dim cut"
        title={row.target === null ? undefined : escapeControls(truncate(row.target, 200))}
      >
        {row.target === null ? '' : escapeControls(truncate(row.target, 60))}
      </span>
      <span role="gridcell" className="c-findings">
        <FindingBadge row={row} />
      </span>
      {endpoint !== null && (
        <span role="gridcell" className="c-endpoint cut mid">
          {escapeControls(truncate(endpoint, 80))}
        </span>
      )}
      <span role="gridcell" className="c-location cut mid">
        {escapeControls(truncate(row.locationName ?? '', 80))}
      </span>
      <span
        role="gridcell"
        className="c-status"
        data-refused={(row.status ?? 500) >= 400 || undefined}
        data-dropped={row.status === null || undefined}
        title={row.respondedBy === null ? undefined : describeResponse(row)}
      >
        {row.respondedBy !== null && <AnsweredBy by={row.respondedBy} />}
        {statusLabel(row)}
      </span>
      <span role="gridcell" className="c-size dim">
        {formatSize(row.bytes)}
      </span>
      <span role="gridcell" className="c-lag dim">
        {lag === null ? '–' : formatDuration(lag)}
      </span>
      <span role="gridcell" className="c-pin">
        {editable ? (
          <button
            type="button"
            tabIndex={-1}
            className="icon-button pin"
            aria-pressed={row.pinned}
            aria-label={row.pinned ? 'Unpin' : 'Pin'}
            title={row.pinned ? 'Unpin (B)' : 'Pin: keep when other deliveries are deleted (B)'}
            onClick={(event) => {
              event.stopPropagation()
              onPin(row)
            }}
          >
            {row.pinned ? <PinOff aria-hidden className="pin-off" /> : null}
            <Pin aria-hidden className="pin-on" />
          </button>
        ) : (
          row.pinned && <Pin role="img" aria-label="pinned" className="pin-on tone-dim" />
        )}
      </span>
    </>
  )
})

/** Marks a response that came from a rule or the target instead of the default 200. */
function AnsweredBy({ by }: { readonly by: NonNullable<DeliverySummary['respondedBy']> }) {
  return (
    <>
      {by === 'rule' ? <Split aria-hidden /> : <ArrowRightLeft aria-hidden />}
      <span className="visually-hidden">{by === 'rule' ? 'by a rule: ' : 'by its target: '}</span>
    </>
  )
}

function FindingBadge({ row }: { readonly row: DeliverySummary }) {
  const [first] = row.findings
  if (!first) return null
  const words = plural(row.findings.length, 'finding', 'findings')
  return (
    <span
      className="badge"
      data-tone={severityTone(worst(row))}
      title={`${words}: ${escapeControls(truncate(describeFinding(first, row.type).message, 160))}`}
    >
      <span aria-hidden>{row.findings.length}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}

function worst(row: DeliverySummary): Severity {
  const severities = row.findings.map(severityOf)
  if (severities.includes('error')) return 'error'
  return severities.includes('warning') ? 'warning' : 'info'
}
