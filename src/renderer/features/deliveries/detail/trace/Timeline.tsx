import { useState } from 'react'
import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import { Button } from '../../../../components/Button.tsx'
import { counted } from '../../../../components/text/numbers.ts'
import { dayOf } from '../../../../components/text/time.ts'
import { TimelineEntry } from './TimelineEntry.tsx'

/** Entries that are drawn on either side of the current one at first, and that each press adds: a tab may have thousands. */
const portion = 100

/** A trace from top to bottom, oldest first. What is near in time and place only is hidden until it is asked for. */
export function Timeline({
  trace,
  currentId,
}: {
  readonly trace: Trace
  readonly currentId: number
}) {
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
