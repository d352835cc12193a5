import { CircleDashed } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { amount as amountText } from '#catalogue/payload.ts'
import type { TraceEntry } from '#contract/deliveries.ts'
import { EventIcon } from '../../../../components/EventIcon.tsx'
import { Shown } from '../../../../components/Shown.tsx'
import { clockTime, fullTime, span, utcTime } from '../../../../components/text/time.ts'
import { cut, visible } from '../../../../components/text/visible.ts'
import { takeTraceFocus, goTo } from './going.ts'

interface Props {
  readonly entry: TraceEntry
  readonly current: boolean
}

/** One delivery of a trace: when, what, of which order or item, what it added, and what was seen. */
export const TimelineEntry = memo(function TimelineEntry({ entry, current }: Props) {
  const { row, relation, by, marks, gap, subject } = entry
  const at = row.createdAt ?? row.receivedAt
  const head = useFocusAlong(row.id, current)
  return (
    <li data-relation={relation} data-current={current || undefined}>
      <span className="entry-time mono">
        <time
          dateTime={utcTime(at)}
          title={`${row.createdAt === null ? 'Arrived' : 'Created'} ${fullTime(at)}\n${utcTime(at)}`}
        >
          {clockTime(at)}
        </time>
        {gap !== null && <span className="dim">{gap < 0 ? span(gap) : `+${span(gap)}`}</span>}
      </span>
      <span className="entry-icon">
        {relation === 'near' ? (
          <CircleDashed aria-hidden />
        ) : (
          <EventIcon name={eventTypeOf(row.type)?.view.icon ?? 'circle-question-mark'} />
        )}
      </span>
      <div className="entry-words">
        <button
          type="button"
          className="entry-title"
          ref={head}
          aria-current={current ? 'true' : undefined}
          title={current ? undefined : `Open #${row.id}`}
          onClick={() => {
            if (!current) goTo(row.id)
          }}
        >
          {visible(cut(row.title === '' ? row.path : row.title, 200))}
        </button>
        <p className="entry-facts dim">
          <span className="mono">#{row.id}</span>
          <span className="mono">{visible(cut(row.type ?? 'no type', 60))}</span>
          {subject !== null && (
            <span title={visible(cut(subject.id, 300))}>
              {subject.kind} <span className="mono">{visible(shortened(subject.id))}</span>
            </span>
          )}
          <span>
            {relation === 'near' ? 'near, by ' : 'by '}
            {visible(cut(by, 160))}
          </span>
        </p>
        {marks.map(({ code, text }) => (
          <p className="entry-mark" key={code}>
            <Shown text={cut(text, 400)} />
          </p>
        ))}
      </div>
      <Amounts entry={entry} />
    </li>
  )
})

/** What it adds, and the sum that this makes; all sums on hover. What repeats another is not counted again. */
function Amounts({ entry }: { readonly entry: TraceEntry }) {
  const { amount, running, relation, row, marks } = entry
  if (amount === null || relation === 'near') return <span />
  const counted = !marks.some(({ code }) => code === 'repeated')
  const sums = (['items', 'orders', 'stated'] as const).flatMap((name) => {
    const value = running[name]
    return value === null ? [] : [`${name} ${amountText(value)}`]
  })
  const own = row.type === 'ORDER_PLACED' ? 'orders' : 'items'
  const adds = row.type !== 'OPEN_TAB'
  const sum = running[own]
  return (
    <span
      className="entry-amount mono"
      data-counted={counted}
      title={`So far: ${sums.join(', ')}. No currency is given.`}
    >
      <b>
        {amount > 0 && adds && counted ? '+' : ''}
        {amountText(amount)}
      </b>
      {adds && sum !== null && (
        <span className="dim">
          {own} {amountText(sum)}
        </span>
      )}
      {!adds && <span className="dim">stated</span>}
      {!counted && <span className="dim">not counted</span>}
    </span>
  )
}

function shortened(id: string): string {
  return id.length > 16 ? cut(id, 9) : id
}

/** The trace starts at the current entry, which takes the focus when it was opened from the trace. */
function useFocusAlong(id: number, current: boolean) {
  const head = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!current) return
    const along = takeTraceFocus(id)
    if (along) head.current?.focus({ preventScroll: true })
    head.current?.scrollIntoView({ block: along ? 'nearest' : 'start' })
  }, [id, current])
  return head
}
