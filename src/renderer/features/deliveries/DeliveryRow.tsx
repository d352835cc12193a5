import { Pin, PinOff, Repeat2, StickyNote } from 'lucide-react'
import { memo } from 'react'
import type { DeliverySummary, Severity } from '#contract/models.ts'
import { severityTone, VerdictMark } from '../../components/Mark.tsx'
import { byteSize, counted } from '../../components/text/numbers.ts'
import { span } from '../../components/text/time.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { ClockTime } from '../../components/Time.tsx'

interface Props {
  readonly row: DeliverySummary
  /** Zero-based place in the list. */
  readonly index: number
  readonly top: number
  readonly selected: boolean
  readonly onOpen: (id: number) => void
  readonly onPin: (row: DeliverySummary) => void
}

/** The id of a row's element, for `aria-activedescendant`. */
export function rowElementId(id: number): string {
  return `delivery-${id}`
}

/** One line of the list. Where it stands changes with each arrival and is cheap; what it says is drawn once. */
export function DeliveryRow({ row, index, top, selected, onOpen, onPin }: Props) {
  return (
    // The grid holds the focus and handles the keys; a click is the pointer's way of the same.
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
      aria-selected={selected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => {
        // A click with a key held is meant for something else.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        onOpen(row.id)
      }}
    >
      <Cells row={row} onPin={onPin} />
    </div>
  )
}

const Cells = memo(function Cells({ row, onPin }: Pick<Props, 'row' | 'onPin'>) {
  const lag = row.createdAt === null ? null : row.receivedAt - row.createdAt
  return (
    <>
      <span role="gridcell" className="c-time mono mid">
        <ClockTime at={row.receivedAt} />
      </span>
      <span role="gridcell" className="c-verdict">
        <VerdictMark verdict={row.verdict} />
      </span>
      <span role="gridcell" className="c-type mono cut">
        {row.type === null ? (
          <span className="dim">{row.method} no type</span>
        ) : (
          visible(cut(row.type, 60))
        )}
      </span>
      <span
        role="gridcell"
        className="c-title cut"
        title={visible(cut(row.target ?? row.path, 200))}
      >
        {row.repeats && <Again repeats={row.repeats} />}
        <OwnMarks row={row} />
        {visible(cut(row.title === '' ? row.path : row.title, 200))}
      </span>
      <span
        role="gridcell"
        className="c-target mono dim cut"
        title={row.target === null ? undefined : visible(cut(row.target, 200))}
      >
        {row.target === null ? '' : visible(cut(row.target, 60))}
      </span>
      <span role="gridcell" className="c-findings">
        <FindingBadge row={row} />
      </span>
      <span role="gridcell" className="c-location cut mid">
        {visible(cut(row.locationName ?? '', 80))}
      </span>
      <span
        role="gridcell"
        className="c-status"
        data-refused={(row.status ?? 500) >= 400 || undefined}
      >
        {row.status ?? 'none'}
      </span>
      <span role="gridcell" className="c-size dim">
        {byteSize(row.bytes)}
      </span>
      <span role="gridcell" className="c-lag dim">
        {lag === null ? '–' : span(lag)}
      </span>
      <span role="gridcell" className="c-pin">
        <button
          type="button"
          tabIndex={-1}
          className="icon-button pin"
          aria-pressed={row.pinned}
          aria-label={row.pinned ? 'Unpin' : 'Pin'}
          title={row.pinned ? 'Unpin (B)' : 'Pin: keep when others are cleared (B)'}
          onClick={(event) => {
            event.stopPropagation()
            onPin(row)
          }}
        >
          {row.pinned ? <PinOff aria-hidden className="pin-off" /> : null}
          <Pin aria-hidden className="pin-on" />
        </button>
      </span>
    </>
  )
})

/** That the same came before: a quiet mark before the title. */
function Again({ repeats }: { readonly repeats: NonNullable<DeliverySummary['repeats']> }) {
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
function OwnMarks({ row }: { readonly row: DeliverySummary }) {
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

function FindingBadge({ row }: { readonly row: DeliverySummary }) {
  if (row.findings.length === 0) return null
  const words = counted(row.findings.length, 'finding', 'findings')
  return (
    <span
      className="badge"
      data-tone={severityTone(worst(row))}
      title={`${words}: ${visible(cut(row.findings[0]?.message ?? '', 160))}`}
    >
      <span aria-hidden>{row.findings.length}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}

function worst(row: DeliverySummary): Severity {
  if (row.findings.some((finding) => finding.severity === 'error')) return 'error'
  return row.findings.some((finding) => finding.severity === 'warning') ? 'warning' : 'info'
}
