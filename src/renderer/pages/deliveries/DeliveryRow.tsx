import { memo, useEffect, useMemo, useState } from 'react'
import { amountText, sentenceOf } from '#catalogue/sentence.ts'
import { unknownTime } from '#contract/constants.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { formatDuration, formatSize } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { VerdictMark } from '#kit/Mark.tsx'
import { clockMinutes, clockTime, fullTime, utcTime } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { bodyPath, type FittedColumns } from '#client/state/list-columns.ts'
import { outcomeLabel, describeSender, statusLabel } from './outcome-label.ts'
import { useClient } from '#client/use-client.ts'
import { useLog } from '#client/state/scope.ts'

const tagsDrawn = 2

function OwnMarks({ row, tags }: { row: DeliverySummary; tags: boolean }) {
  const { duplicateOf: repeats, sentBy } = row
  const shown = tags ? row.tags.slice(0, tagsDrawn) : []
  const more = tags ? row.tags.length - tagsDrawn : 0
  if (!repeats && !sentBy && !row.pinned && !row.noted && shown.length === 0) return null
  return (
    <span
      className="own-marks ml-3 inline-flex items-center gap-2 align-[-0.1em] text-xs text-dim icon-xs"
      title={shortText(row.tags.join(', '), 200) || undefined}
    >
      {repeats && (
        <span title={`${repeats.by === 'body' ? 'Same bytes' : 'Same event'} as #${repeats.id}`}>
          <Icons.Repeat2 />
          <span className="visually-hidden">duplicate</span>
        </span>
      )}
      {sentBy && (
        <span title={describeSender(sentBy)}>
          <Icons.CircleDot />
          <span className="visually-hidden">from Tabscope</span>
        </span>
      )}
      {row.pinned && (
        <>
          <Icons.Pin className="fill-current" />
          <span className="visually-hidden">pinned</span>
        </>
      )}
      {row.noted && (
        <>
          <Icons.StickyNote />
          <span className="visually-hidden">noted</span>
        </>
      )}
      {shown.map((tag) => (
        <span key={tag} className="own-mark">
          {shortText(tag, 14)}
        </span>
      ))}
      {more > 0 && <span className="own-mark">+{more}</span>}
    </span>
  )
}

interface Props {
  row: DeliverySummary
  /** Zero-based position in the list. */
  index: number
  top: number
  selected: boolean
  inSelection: boolean
  editable: boolean
  onOpen: (id: number) => void
  /** `range`: select everything from the start of the range as well. */
  onSelect: (id: number, index: number, range: boolean) => void
  cells: CellProps
}

export interface CellProps {
  sending: boolean
  /** "3 s ago"; null: the exact time. */
  ago: string | null
  /** The name of its endpoint. */
  endpoint: string
  /** The location, if there is more than one, for the second line. */
  location: string | null
  fitted: FittedColumns
  /** Values of the body columns; undefined while they are loaded. */
  values: readonly (string | null)[] | undefined
}

/** The element ID of a row, for `aria-activedescendant`. */
export function rowElementId(id: number): string {
  return `delivery-${id}`
}

/** A row of the list. Its position changes with each new delivery, which is cheap; its cells are memoized. */
export function DeliveryRow(props: Props) {
  const { row, index, top, selected, inSelection, editable, cells } = props
  const { onOpen, onSelect } = props
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
        if (event.shiftKey || event.ctrlKey || event.metaKey) {
          onSelect(row.id, index, event.shiftKey)
        } else onOpen(row.id)
      }}
    >
      <span className="c-select" role="gridcell">
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
      </span>
      <Cells row={row} {...cells} />
    </div>
  )
}

const Cells = memo(function Cells({
  row,
  ...props
}: { readonly row: DeliverySummary } & CellProps) {
  const label = outcomeLabel(row)
  return (
    <>
      <span className="c-mark" role="presentation" data-tone={label.tone} />
      {props.fitted.columns.map(({ id, align, mono }) => (
        <span
          key={id}
          role="gridcell"
          className={`c-${bodyPath(id) === null ? id : 'body'} cut${mono ? ' mono' : ''}`}
          data-align={align}
        >
          <Cell id={id} row={row} {...props} />
        </span>
      ))}
    </>
  )
})

function Cell({
  id,
  row,
  ...props
}: CellProps & { readonly id: string; readonly row: DeliverySummary }) {
  switch (id) {
    case 'received': {
      const { ago, location } = props
      return (
        <>
          <time dateTime={utcTime(row.receivedAt)} title={fullTime(row.receivedAt)}>
            {ago ?? clockTime(row.receivedAt)}
          </time>
          {location !== null && ` · ${shown(location, 60)}`}
        </>
      )
    }
    case 'event':
      return (
        <EventCell row={row} tags={!props.fitted.columns.some((column) => column.id === 'tags')} />
      )
    case 'amount':
      return amountText(row.facts)
    case 'outcome':
      return <OutcomePill row={row} sending={props.sending} />
    case 'type':
      return row.type === null ? `${row.method} no type` : shown(row.type, 60)
    case 'location':
      return shown(row.locationName ?? '', 80)
    case 'number':
      return `#${row.id}`
    case 'endpoint':
      return shown(props.endpoint, 80)
    case 'verdict':
      return <VerdictMark verdict={row.verdict} atArrival={row.recheck?.verdictAtArrival} />
    case 'response':
      return statusLabel(row)
    case 'handler':
      return row.lastAttempt === null ? '' : (row.lastAttempt.status ?? 'none')
    case 'findings':
      return row.findings.length === 0 ? '' : row.findings.length
    case 'target':
      return shown(row.target ?? '', 60)
    case 'size':
      return formatSize(row.bytes)
    case 'lag':
      return row.createdAt === null || row.receivedAt === unknownTime
        ? '–'
        : formatDuration(row.receivedAt - row.createdAt)
    case 'tags':
      return shown(row.tags.join(', '), 200)
    default:
      return <BodyCell id={id} {...props} />
  }
}

function shown(text: string, max: number): string {
  return shortText(text, max)
}

function EventCell({ row, tags }: { row: DeliverySummary; tags: boolean }) {
  const { spot, heading, details } = sentenceOf(row, clockMinutes)
  const title = heading === '' ? row.path : heading
  const rest = details.map((detail) => ` · ${shown(detail, 200)}`).join('')
  return (
    <>
      {spot !== null && (
        <>
          <b className="font-mono text-xs">{shown(spot, 40)}</b>
          {' · '}
        </>
      )}
      <b>{shown(title, 200)}</b>
      {rest}
      <OwnMarks row={row} tags={tags} />
    </>
  )
}

function OutcomePill({ row, sending }: { row: DeliverySummary; sending: boolean }) {
  if (sending) return <span className="pill">Sending</span>
  const label = outcomeLabel(row)
  return (
    <span
      className={label.tone === 'ok' ? 'text-dim' : 'pill'}
      data-tone={label.tone}
      title={label.title}
    >
      {shown(label.text, 80)}
    </span>
  )
}

function BodyCell({
  id,
  fitted,
  values,
}: Pick<CellProps, 'fitted' | 'values'> & { readonly id: string }) {
  if (values === undefined) return null
  const at = fitted.columns
    .filter((column) => bodyPath(column.id) !== null)
    .findIndex((column) => column.id === id)
  const value = values[at] ?? null
  return (
    <span title={value === null ? undefined : shown(value, 200)}>{shown(value ?? '', 80)}</span>
  )
}

type Values = ReadonlyMap<number, readonly (string | null)[]>

const none: Values = new Map()
/** Of the rows whose values are kept. */
const maxKept = 2000

/** Values of the body columns by ID, in the order of these columns. They are fetched for the rows that are drawn. */
export function useBodyValues(ids: readonly number[], { columns }: FittedColumns): Values {
  const client = useClient()
  const log = useLog()
  const paths = useMemo(() => columns.flatMap(({ id }) => bodyPath(id) ?? []), [columns])
  const key = JSON.stringify([log, paths])
  const [kept, setKept] = useState<{ readonly key: string; readonly values: Values }>({
    key,
    values: none,
  })
  const values = kept.key === key ? kept.values : none
  const missing = paths.length === 0 ? [] : ids.filter((id) => !values.has(id))
  const wanted = missing.join()
  useEffect(() => {
    if (wanted === '') return undefined
    let ended = false
    const asked = wanted.split(',').map(Number)
    client.call('deliveries.values', { log, ids: asked, paths }).then(
      (found) => {
        if (ended) return
        setKept((before) => {
          const old = before.key === key && before.values.size < maxKept ? before.values : none
          // A delivery that was deleted meanwhile is not asked for again.
          const absent = asked.map((id): [number, readonly (string | null)[]] => [id, []])
          const fresh = found.map(({ id, values: of }): [number, readonly (string | null)[]] => [
            id,
            of,
          ])
          return { key, values: new Map([...old, ...absent, ...fresh]) }
        })
      },
      // The list itself reports a lost connection.
      () => undefined,
    )
    return () => {
      ended = true
    }
  }, [client, key, log, paths, wanted])
  return values
}
