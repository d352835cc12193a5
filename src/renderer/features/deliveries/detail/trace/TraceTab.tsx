import type { Delivery } from '#contract/models.ts'
import type { Trace } from '#contract/deliveries.ts'
import { amount } from '#catalogue/payload.ts'
import { Button } from '../../../../components/Button.tsx'
import { Note } from '../../../../components/Note.tsx'
import { Shown } from '../../../../components/Shown.tsx'
import { counted } from '../../../../components/text/numbers.ts'
import { span } from '../../../../components/text/time.ts'
import { cut } from '../../../../components/text/visible.ts'
import { useLog } from '../../scope/scope.ts'
import { IdValue } from '../IdValue.tsx'
import { useShell } from '../../../shell/store.ts'
import { Repeats } from './Repeats.tsx'
import { subjectTitle } from './strip.ts'
import { Throttle } from './Throttle.tsx'
import { Timeline } from './Timeline.tsx'
import { TraceStrip } from './TraceStrip.tsx'
import { useRelated, useTrace } from './use-beyond.ts'
import './Trace.css'

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
