import { deliveryTitle, EventIcon } from '#parts/EventIcon.tsx'
import { plural, formatDuration } from '#shared/text/format.ts'
import type { Delivery } from '#contract/models.ts'
import type { Trace, TraceEntry, Related } from '#contract/deliveries.ts'
import { amount as amountText } from '#catalogue/payload.ts'
import { Button } from '#kit/Button.tsx'
import { Loading, Note, WhenLoaded } from '#kit/Note.tsx'
import { Prose, Shown } from '#kit/Shown.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { dayOf, clockTime, fullTime, utcTime, shortDate } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { IdValue } from '../FieldRow.tsx'
import {
  subjectTitle,
  useRelated,
  useTrace,
  consumeTraceFocus,
  openFromTrace,
} from './trace-navigation.ts'
import { useState, memo, useEffect, useRef } from 'react'
import { Icons } from '#kit/icons.tsx'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import './Trace.css'

interface Props {
  entry: TraceEntry
  /** That the entry begins; null: it is on the day of the one before. */
  day: string | null
  current: boolean
}

const TimelineEntry = memo(function TimelineEntry({ entry, day, current }: Props) {
  const { delivery, by, observations, gapMs, subject } = entry
  const { id } = delivery
  const at = timeOf(entry)
  const head = useTraceFocus(id, current)
  return (
    <>
      {day !== null && <li className="trace-day text-xs font-semibold text-dim">{day}</li>}
      <li data-current={current || undefined}>
        <span className="entry-time mono grid content-start text-xs leading-[1.7] text-mid">
          <time
            dateTime={utcTime(at)}
            title={`${delivery.createdAt === null ? 'Received' : 'Created'} ${fullTime(at)}\n${utcTime(at)}`}
          >
            {clockTime(at)}
          </time>
          {gapMs !== null && (
            <span className="text-dim">
              {gapMs >= 0 && '+'}
              {formatDuration(gapMs)}
            </span>
          )}
        </span>
        <span className="entry-icon grid h-(--icon-l) w-(--icon-l) place-items-center rounded-full bg-sunken text-mid">
          <EventIcon name={eventTypeOf(delivery.type)?.view.icon ?? 'circle-question-mark'} />
        </span>
        <div className="min-w-0">
          <button
            type="button"
            className="link entry-title aria-[current]:cursor-default aria-[current]:font-bold"
            ref={head}
            aria-current={current ? 'true' : undefined}
            title={current ? undefined : `Open #${id}`}
            onClick={() => !current && openFromTrace(id)}
          >
            {shortText(deliveryTitle(delivery), 200)}
          </button>
          <p className="flex flex-wrap gap-x-4 text-xs wrap-anywhere text-dim">
            <span className="mono">#{id}</span>
            <span className="mono">{shortText(delivery.type ?? 'no type', 60)}</span>
            {subject !== null && (
              <span title={shortText(subject.id, 300)}>
                {subject.kind} <span className="mono">{shortText(subject.id, 16)}</span>
              </span>
            )}
            <span>by {shortText(by, 160)}</span>
          </p>
          {observations.map(({ code, message }) => (
            <p
              className="mt-1 border-l-2 border-l-line-strong pl-4 text-s wrap-anywhere text-mid"
              key={code}
            >
              <Shown text={message} max={400} />
            </p>
          ))}
        </div>
        <Amounts entry={entry} />
      </li>
    </>
  )
})

/** The amount of an entry and the running total; all totals on hover. Duplicates are not counted again. */
function Amounts({ entry }: { entry: TraceEntry }) {
  const { amount, totals, delivery, observations } = entry
  if (amount === null) return <span />
  const counted = !observations.some(({ code }) => code === 'repeated')
  const sums = (['items', 'orders', 'stated'] as const).flatMap((name) => {
    const value = totals[name]
    return value === null ? [] : [`${name} ${amountText(value)}`]
  })
  const own = delivery.type === 'ORDER_PLACED' ? 'orders' : 'items'
  const adds = delivery.type !== 'OPEN_TAB'
  const sum = totals[own]
  return (
    <span
      className="mono grid content-start justify-items-end text-xs leading-[1.5] data-[counted=false]:[&_b]:font-normal data-[counted=false]:[&_b]:text-dim"
      data-counted={counted}
      title={`So far: ${sums.join(', ')}. No currency is given.`}
    >
      <b className="text-s">
        {amount > 0 && adds && counted ? '+' : ''}
        {amountText(amount)}
      </b>
      {adds && sum !== null && (
        <span className="text-dim">
          {own} {amountText(sum)}
        </span>
      )}
      {!adds && <span className="text-dim">stated</span>}
      {!counted && <span className="text-dim">not counted</span>}
    </span>
  )
}

function useTraceFocus(id: number, current: boolean) {
  const head = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!current) return
    const fromTrace = consumeTraceFocus(id)
    if (fromTrace) head.current?.focus({ preventScroll: true })
    head.current?.scrollIntoView({ block: fromTrace ? 'nearest' : 'start' })
  }, [id, current])
  return head
}

/** Entries rendered on either side of the current one, and added by each "Show" button. A tab may have thousands. */
const pageSize = 100

function Timeline({ trace: { entries }, id }: TraceProps) {
  const [more, setMore] = useState({ earlier: pageSize, later: pageSize })
  const current = Math.max(
    0,
    entries.findIndex(({ delivery }) => delivery.id === id),
  )
  const from = Math.max(0, current - more.earlier)
  const to = current + more.later + 1
  const days = entries.map((entry) => dayOf(timeOf(entry)))
  const button = (which: keyof typeof more, left: number) =>
    left > 0 && (
      <Button onClick={() => setMore({ ...more, [which]: more[which] + pageSize })}>
        Show {plural(Math.min(pageSize, left), `${which} event`, `${which} events`)} of {left}
      </Button>
    )
  return (
    <div className="grid justify-items-start gap-4">
      {button('earlier', from)}
      <ol
        className="framed lined trace-timeline @container/trace-timeline w-full [&>.trace-day]:block [&>.trace-day+li]:border-t-0 [&>[data-current]]:bg-select [&>[data-current]]:[box-shadow:inset_2px_0_var(--accent)]"
        aria-label="Timeline"
      >
        {entries.slice(from, to).map((entry, index) => {
          const day = days[from + index] ?? ''
          return (
            <TimelineEntry
              key={entry.delivery.id}
              entry={entry}
              day={day === days[from + index - 1] ? null : day}
              current={entry.delivery.id === id}
            />
          )
        })}
      </ol>
      {button('later', entries.length - to)}
    </div>
  )
}

function timeOf({ delivery }: TraceEntry): number {
  return delivery.createdAt ?? delivery.receivedAt
}

/** Related deliveries: the trace of the subject, and duplicates. */
export function TraceTab({ delivery: { id } }: { delivery: Delivery }) {
  const trace = useTrace(id)
  const related = useRelated(id)
  return (
    <>
      <WhenLoaded query={trace} loading={<Loading card label="Loading the trace" />}>
        {(found) => <TraceView trace={found} id={id} />}
      </WhenLoaded>
      <WhenLoaded query={related} loading={null}>
        {(found) => <Duplicates related={found} />}
      </WhenLoaded>
    </>
  )
}

interface TraceProps {
  trace: Trace
  /** Of the open delivery. */
  id: number
}

function TraceView({ trace, id }: TraceProps) {
  const { subject, notes, truncated } = trace
  return (
    <section className="grid gap-5" aria-label="Trace">
      <header className="baseline flex flex-wrap gap-1 gap-x-4">
        <h3 className="text-l wrap-anywhere">
          {subjectTitle(subject)}
          {subject.name !== null && (
            <>
              {' '}
              <span>
                “<Shown text={subject.name} max={80} />”
              </span>
            </>
          )}
        </h3>
        {subject.id !== '' && <IdValue id={subject.id} />}
        <p className="ml-auto text-s text-dim">{extent(trace)}</p>
      </header>
      <Totals trace={trace} />
      {truncated && (
        <Note tone="info">
          There may be more deliveries. Only those received closest to this one are shown.
        </Note>
      )}
      <Timeline trace={trace} id={id} />
      {notes.length > 0 && (
        <ul className="grid list-disc gap-2 pl-6 text-s text-mid" aria-label="Notes on this trace">
          {notes.map((note) => (
            <li key={note}>
              <Prose text={note} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function extent({ entries }: Trace): string {
  const count = plural(entries.length, 'delivery', 'deliveries')
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || first === last) return count
  return `${count} over ${formatDuration(timeOf(last) - timeOf(first))}`
}

function Totals({ trace }: { trace: Trace }) {
  const running = trace.entries.at(-1)?.totals
  if (!running) return null
  const rows = [
    ['Items', running.items, 'Price times quantity of added items, minus removed items'],
    ['Orders placed', running.orders, 'Sum of order totals'],
    ['Stated at opening', running.stated, 'Total of the last OPEN_TAB'],
  ] as const
  const known = rows.filter(([, value]) => value !== null)
  if (known.length === 0) return null
  return (
    <dl
      className="framed flex flex-wrap gap-4 gap-x-8 bg-raised px-6 py-4"
      aria-label="Totals so far"
    >
      {known.map(([label, value, meaning]) => (
        <div key={label} title={`${meaning}. No currency is given.`}>
          <dt className="text-xs text-mid">{label}</dt>
          <dd className="mono text-l font-semibold">{amountText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Duplicates of this delivery, and how a handler can deal with the lack of a delivery ID. */
function Duplicates({ related }: { related: Related }) {
  const { sameBody, sameEvent } = related
  return (
    <section className="framed grid gap-3 px-6 py-5 text-s wrap-anywhere" aria-labelledby="repeats">
      <h3 id="repeats" className="flex items-center gap-4 text-m">
        <Icons.Repeat2 className="text-dim" />
        Duplicates
      </h3>
      <DuplicateList duplicates={sameBody} what="Same bytes received" />
      <DuplicateList duplicates={sameEvent} what="Same event received with different bytes" />
      {sameBody.total + sameEvent.total === 0 && (
        <p>
          No other delivery has the same bytes, or the same type, target, location and createdAt.
        </p>
      )}
      <LearnMore page="signatures" section="recognize-repeated-deliveries" />
    </section>
  )
}

function DuplicateList(props: { duplicates: Related['sameBody']; what: string }) {
  const { total, rows } = props.duplicates
  if (total === 0) return null
  return (
    <p>
      <b>
        {props.what} {plural(total, 'more time', 'more times')}:
      </b>{' '}
      {rows.map(({ id, receivedAt }) => (
        <button
          key={id}
          type="button"
          className="link mono px-1"
          title={`Received ${shortDate(receivedAt)}`}
          onClick={() => openFromTrace(id)}
        >
          #{id}
        </button>
      ))}
      {total > rows.length && <span className="text-dim"> and {total - rows.length} earlier</span>}
    </p>
  )
}
