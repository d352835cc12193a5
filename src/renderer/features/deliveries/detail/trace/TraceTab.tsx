import type { Delivery } from '#contract/models.ts'
import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import { amount } from '#catalogue/payload.ts'
import { Button } from '../../../../components/Button.tsx'
import { Note } from '../../../../components/Note.tsx'
import { Shown } from '../../../../components/Shown.tsx'
import { counted } from '../../../../components/text/numbers.ts'
import { dayOf, span } from '../../../../components/text/time.ts'
import { cut } from '../../../../components/text/visible.ts'
import { useLog } from '../../scope/scope.ts'
import { IdValue } from '../IdValue.tsx'
import { useShell } from '../../../shell/store.ts'
import { Repeats } from './Repeats.tsx'
import { subjectTitle } from './strip.ts'
import { Throttle } from './Throttle.tsx'
import { TraceStrip } from './TraceStrip.tsx'
import { useRelated, useTrace } from './use-beyond.ts'
import './Trace.css'
import { useState } from 'react'
import { TimelineEntry } from './TimelineEntry.tsx'

/** Entries that are drawn on either side of the current one at first, and that each press adds: a tab may have thousands. */
const portion = 100

/** A trace from top to bottom, oldest first. What is near in time and place only is hidden until it is asked for. */
function Timeline({ trace, currentId }: { readonly trace: Trace; readonly currentId: number }) {
  const [near, setNear] = useState(false)
  const tied = trace.entries.filter(
    ({ relation, row }) => relation === 'tied' || row.id === currentId,
  )
  const nearby = trace.entries.length - tied.length
  const entries = near ? trace.entries : tied
  const [more, setMore] = useState({ before: portion, after: portion })
  const current = Math.max(
    0,
    entries.findIndex(({ row }) => row.id === currentId),
  )
  const from = Math.max(0, current - more.before)
  const to = Math.min(entries.length, current + more.after + 1)
  return (
    <div className="trace-timeline-frame">
      {nearby > 0 && (
        <Button aria-expanded={near} onClick={() => setNear(!near)}>
          {near
            ? 'Hide events that are near in time and place only'
            : `Show ${counted(nearby, 'event that is', 'events that are')} near in time and place only`}
        </Button>
      )}
      {from > 0 && (
        <Button onClick={() => setMore({ ...more, before: more.before + portion })}>
          Show {counted(Math.min(portion, from), 'earlier event', 'earlier events')} of {from}
        </Button>
      )}
      <ol className="trace-timeline" aria-label="Timeline">
        {entries.slice(from, to).map((entry, index) => (
          <Day key={entry.row.id} entry={entry} before={entries[from + index - 1]}>
            <TimelineEntry entry={entry} current={entry.row.id === currentId} />
          </Day>
        ))}
      </ol>
      {to < entries.length && (
        <Button onClick={() => setMore({ ...more, after: more.after + portion })}>
          Show {counted(Math.min(portion, entries.length - to), 'later event', 'later events')} of{' '}
          {entries.length - to}
        </Button>
      )}
    </div>
  )
}

interface DayProps {
  readonly entry: TraceEntry
  readonly before: TraceEntry | undefined
  readonly children: React.ReactNode
}

/** An entry, under the date where another day begins. */
function Day({ entry, before, children }: DayProps) {
  const day = dayOf(timeOf(entry))
  const begins = before === undefined || dayOf(timeOf(before)) !== day
  return (
    <>
      {begins && <li className="trace-day">{day}</li>}
      {children}
    </>
  )
}

function timeOf({ row }: TraceEntry): number {
  return row.createdAt ?? row.receivedAt
}

/** How far the search index may be behind before it is worth a word. */
const behindWorthTelling = 100

/** Beyond one delivery: the life of what it is about, what is the same again, and what the throttle of QR codes tells. */
export function TraceTab({ delivery }: { readonly delivery: Delivery }) {
  return (
    <>
      <LifeOf id={delivery.id} />
      <Alike id={delivery.id} />
    </>
  )
}

function LifeOf({ id }: { readonly id: number }) {
  const { state, reload } = useTrace(id)
  switch (state.phase) {
    case 'loading':
      return (
        <div
          className="plain-card ticket-coming"
          role="status"
          aria-label="Looking for the trace"
        />
      )
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return <Life trace={state.value} id={id} />
  }
}

function Life({ trace, id }: { readonly trace: Trace; readonly id: number }) {
  const { subject, entries, notes, truncated, indexedId } = trace
  const tied = entries.filter(({ relation }) => relation === 'tied').length
  return (
    <section className="trace" aria-label="Trace">
      <header className="trace-head">
        <h3>
          {subjectTitle(subject)}
          {subject.name !== null && (
            <>
              {' '}
              <span>
                “<Shown text={cut(subject.name, 80)} />”
              </span>
            </>
          )}
        </h3>
        {subject.id !== '' && <IdValue id={subject.id} />}
        <p className="dim">{extent(trace, tied)}</p>
      </header>
      <Totals trace={trace} />
      <TraceStrip trace={trace} currentId={id} />
      {truncated && (
        <Note tone="info">
          There may be more than are shown: those farthest in arrival from this delivery are left
          out.
        </Note>
      )}
      <Indexing indexedId={indexedId} id={id} />
      <Timeline trace={trace} currentId={id} />
      {notes.length > 0 && (
        <ul className="trace-notes mid" aria-label="Notes on this trace">
          {notes.map((note) => (
            <li key={note}>
              <Shown text={cut(note.replaceAll('`', ''), 600)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function extent({ entries }: Trace, tied: number): string {
  const near = entries.length - tied
  const times = entries
    .filter(({ relation }) => relation === 'tied')
    .map(({ row }) => row.createdAt ?? row.receivedAt)
  const long = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const parts = [counted(tied, 'delivery', 'deliveries')]
  if (tied > 1) parts.push(`over ${span(long)}`)
  if (near > 0) parts.push(`and ${near} near`)
  return parts.join(' ')
}

function Totals({ trace }: { readonly trace: Trace }) {
  const running = trace.entries.at(-1)?.running
  if (!running) return null
  const rows = [
    ['Items', running.items, 'Price times quantity of items added, less those removed'],
    ['Orders placed', running.orders, 'Sum of the totals of the orders'],
    ['Stated at opening', running.stated, 'The total of the last OPEN_TAB'],
  ] as const
  const known = rows.filter(([, value]) => value !== null)
  if (known.length === 0) return null
  return (
    <dl className="trace-totals" aria-label="Totals so far">
      {known.map(([label, value, meaning]) => (
        <div key={label} title={`${meaning}. No currency is given.`}>
          <dt>{label}</dt>
          <dd className="mono">{amount(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Indexing({ indexedId, id }: { readonly indexedId: number; readonly id: number }) {
  const log = useLog()
  const behind = useShell(({ stats }) => (log === null ? stats.newestId - indexedId : 0))
  if (id <= indexedId && behind < behindWorthTelling) return null
  return (
    <Note tone="info">
      The search index is {counted(Math.max(behind, 1), 'delivery', 'deliveries')} behind
      {id > indexedId ? ', and has not come to this one' : ''}. What is missing here follows by
      itself.
    </Note>
  )
}

function Alike({ id }: { readonly id: number }) {
  const { state, reload } = useRelated(id)
  switch (state.phase) {
    case 'loading':
      return null
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return (
        <>
          {state.value.throttle && <Throttle throttle={state.value.throttle} />}
          <Repeats related={state.value} />
        </>
      )
  }
}
