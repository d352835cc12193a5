import { deliveryTitle } from '../../../../ui/text/delivery-title.ts'
import { plural, formatDuration } from '#shared/text/format.ts'
import type { Delivery } from '#contract/models.ts'
import type { Trace, TraceEntry, Related } from '#contract/deliveries.ts'
import { amount, amount as amountText } from '#catalogue/payload.ts'
import { Text, Row, Stack } from '../../../../ui/Layout.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Note, WhenLoaded } from '../../../../ui/Note.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { dayOf, clockTime, fullTime, utcTime, shortDate } from '../../../../ui/text/time.ts'
import { truncate, escapeControls, shortText } from '../../../../ui/text/visible.ts'
import { useLog } from '../../../../state/scope.ts'
import { IdValue } from '../FieldValue.tsx'
import { useShell } from '../../../../state/app.ts'
import { useRelated, useTrace } from './use-trace.ts'
import { useState, memo, useEffect, useRef } from 'react'
import { Icons } from '../../../../ui/icons.tsx'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../../../ui/EventIcon.tsx'
import { consumeTraceFocus, openFromTrace } from './trace-navigation.ts'
import './Trace.css'

interface Props {
  readonly entry: TraceEntry
  readonly current: boolean
}

/** One delivery of a trace: its time, title, subject, amount and remarks. */
const TimelineEntry = memo(function TimelineEntry({ entry, current }: Props) {
  const { delivery, by, observations, gapMs, subject } = entry
  const at = delivery.createdAt ?? delivery.receivedAt
  const head = useTraceFocus(delivery.id, current)
  return (
    <li data-current={current || undefined}>
      <span className="stack size-xs mid entry-time mono">
        <time
          dateTime={utcTime(at)}
          title={`${delivery.createdAt === null ? 'Received' : 'Created'} ${fullTime(at)}\n${utcTime(at)}`}
        >
          {clockTime(at)}
        </time>
        {gapMs !== null && (
          <span className="dim">
            {gapMs < 0 ? formatDuration(gapMs) : `+${formatDuration(gapMs)}`}
          </span>
        )}
      </span>
      <Stack as="span" center round="full" className="entry-icon">
        <EventIcon name={eventTypeOf(delivery.type)?.view.icon ?? 'circle-question-mark'} />
      </Stack>
      <div className="shrink">
        <button
          type="button"
          className="link entry-title"
          ref={head}
          aria-current={current ? 'true' : undefined}
          title={current ? undefined : `Open #${delivery.id}`}
          onClick={() => {
            if (!current) openFromTrace(delivery.id)
          }}
        >
          {shortText(deliveryTitle(delivery), 200)}
        </button>
        <Row as="p" wrap gapX={4} size="xs" tone="dim" anywhere>
          <span className="mono">#{delivery.id}</span>
          <span className="mono">{shortText(delivery.type ?? 'no type', 60)}</span>
          {subject !== null && (
            <span title={shortText(subject.id, 300)}>
              {subject.kind} <span className="mono">{escapeControls(shortened(subject.id))}</span>
            </span>
          )}
          <span>by {shortText(by, 160)}</span>
        </Row>
        {observations.map(({ code, message }) => (
          <p className="entry-mark mid size-s anywhere" key={code}>
            <Shown text={message} max={400} />
          </p>
        ))}
      </div>
      <Amounts entry={entry} />
    </li>
  )
})

/** The amount of an entry and the running total; all totals on hover. Duplicates are not counted again. */
function Amounts({ entry }: { readonly entry: TraceEntry }) {
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
      className="stack size-xs entry-amount mono"
      data-counted={counted}
      title={`So far: ${sums.join(', ')}. No currency is given.`}
    >
      <b className="size-s">
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
  return id.length > 16 ? truncate(id, 9) : id
}

/** Scrolls to the current entry, and focuses it if it was opened from the trace. */
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

/** A trace as a list, oldest first. */
function Timeline({ trace, currentId }: { readonly trace: Trace; readonly currentId: number }) {
  const { entries } = trace
  const [more, setMore] = useState({ before: pageSize, after: pageSize })
  const current = Math.max(
    0,
    entries.findIndex(({ delivery }) => delivery.id === currentId),
  )
  const from = Math.max(0, current - more.before)
  const to = Math.min(entries.length, current + more.after + 1)
  return (
    <Stack gap={4} className="trace-timeline-frame">
      {from > 0 && (
        <Button onClick={() => setMore({ ...more, before: more.before + pageSize })}>
          Show {plural(Math.min(pageSize, from), 'earlier event', 'earlier events')} of {from}
        </Button>
      )}
      <ol className="framed lined trace-timeline" aria-label="Timeline">
        {entries.slice(from, to).map((entry, index) => (
          <Day key={entry.delivery.id} entry={entry} before={entries[from + index - 1]}>
            <TimelineEntry entry={entry} current={entry.delivery.id === currentId} />
          </Day>
        ))}
      </ol>
      {to < entries.length && (
        <Button onClick={() => setMore({ ...more, after: more.after + pageSize })}>
          Show {plural(Math.min(pageSize, entries.length - to), 'later event', 'later events')} of{' '}
          {entries.length - to}
        </Button>
      )}
    </Stack>
  )
}

interface DayProps {
  readonly entry: TraceEntry
  readonly before: TraceEntry | undefined
  readonly children: React.ReactNode
}

/** An entry, with a date heading at the start of a day. */
function Day({ entry, before, children }: DayProps) {
  const day = dayOf(timeOf(entry))
  const begins = before === undefined || dayOf(timeOf(before)) !== day
  return (
    <>
      {begins && <li className="trace-day size-xs weight-semibold dim">{day}</li>}
      {children}
    </>
  )
}

function timeOf({ delivery }: TraceEntry): number {
  return delivery.createdAt ?? delivery.receivedAt
}

/** The trace reports that the search index is behind from this number of deliveries. */
const behindThreshold = 100

/** Related deliveries: the trace of the subject, and duplicates. */
export function TraceTab({ delivery }: { readonly delivery: Delivery }) {
  return (
    <>
      <TraceSection id={delivery.id} />
      <RelatedSection id={delivery.id} />
    </>
  )
}

function TraceSection({ id }: { readonly id: number }) {
  const query = useTrace(id)
  return (
    <WhenLoaded
      query={query}
      loading={
        <div className="plain-card ticket-coming" role="status" aria-label="Loading the trace" />
      }
    >
      {(trace) => <TraceView trace={trace} id={id} />}
    </WhenLoaded>
  )
}

function TraceView({ trace, id }: { readonly trace: Trace; readonly id: number }) {
  const { subject, notes, truncated, indexedId } = trace
  return (
    <Stack as="section" gap={5} aria-label="Trace">
      <Row as="header" wrap align="baseline" gap={1} gapX={4}>
        <Text as="h3" size="l" anywhere>
          {subjectTitle(subject)}
          {subject.name !== null && (
            <>
              {' '}
              <span>
                “<Shown text={subject.name} max={80} />”
              </span>
            </>
          )}
        </Text>
        {subject.id !== '' && <IdValue id={subject.id} />}
        <Text as="p" push size="s" tone="dim">
          {extent(trace)}
        </Text>
      </Row>
      <Totals trace={trace} />
      {truncated && (
        <Note tone="info">
          There may be more deliveries. Only those received closest to this one are shown.
        </Note>
      )}
      <Indexing indexedId={indexedId} id={id} />
      <Timeline trace={trace} currentId={id} />
      {notes.length > 0 && (
        <Stack
          as="ul"
          gap={2}
          tone="mid"
          size="s"
          className="bullets"
          aria-label="Notes on this trace"
        >
          {notes.map((note) => (
            <li key={note}>
              <Shown text={note.replaceAll('`', '')} max={600} />
            </li>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

/** The heading of a trace: "This tab", or "All with this target" for an unknown kind of subject. */
export function subjectTitle({ kind }: Trace['subject']): string {
  return kind === 'other' ? 'All with this target' : `This ${kind}`
}

function extent({ entries }: Trace): string {
  const count = plural(entries.length, 'delivery', 'deliveries')
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || first === last) return count
  return `${count} over ${formatDuration(timeOf(last) - timeOf(first))}`
}

function Totals({ trace }: { readonly trace: Trace }) {
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
    <Row
      as="dl"
      wrap
      gap={4}
      gapX={8}
      pad={[4, 6]}
      frame
      background="raised"
      aria-label="Totals so far"
    >
      {known.map(([label, value, meaning]) => (
        <div key={label} title={`${meaning}. No currency is given.`}>
          <Text as="dt" tone="mid" size="xs">
            {label}
          </Text>
          <dd className="mono size-l weight-semibold">{amount(value)}</dd>
        </div>
      ))}
    </Row>
  )
}

function Indexing({ indexedId, id }: { readonly indexedId: number; readonly id: number }) {
  const log = useLog()
  const behind = useShell(({ stats }) => (log === null ? stats.newestId - indexedId : 0))
  if (id <= indexedId && behind < behindThreshold) return null
  return (
    <Note tone="info">
      The search index is {plural(Math.max(behind, 1), 'delivery', 'deliveries')} behind
      {id > indexedId ? ' and has not reached this one' : ''}. Missing entries appear automatically.
    </Note>
  )
}

function RelatedSection({ id }: { readonly id: number }) {
  const query = useRelated(id)
  return (
    <WhenLoaded query={query} loading={null}>
      {(related) => <Duplicates related={related} />}
    </WhenLoaded>
  )
}

/** Duplicates of this delivery, and how a handler can deal with the lack of a delivery ID. */
export function Duplicates({ related }: { readonly related: Related }) {
  const { sameBody, sameEvent } = related
  return (
    <Stack as="section" gap={3} pad={[5, 6]} frame size="s" anywhere aria-labelledby="repeats">
      <h3 id="repeats" className="row gap-4 align-center size-m">
        <Icons.Repeat2 className="tone-dim" />
        Duplicates
      </h3>
      <DuplicateList duplicates={sameBody} what="Same bytes received" />
      <DuplicateList duplicates={sameEvent} what="Same event received with different bytes" />
      {sameBody.total + sameEvent.total === 0 && (
        <p>
          No other delivery has the same bytes, or the same type, target, location and createdAt.
        </p>
      )}
      <p className="mid">
        The API documentation defines no delivery ID and no signed send time, so anyone can replay a
        captured delivery at any time with a valid signature. To protect your handler:
      </p>
      <ul className="bullets stack gap-1 mid">
        <li>
          Store <code className="mono">type</code>, target and{' '}
          <code className="mono">createdAt</code> for some days, and skip events seen before.
        </li>
        <li>Make processing idempotent.</li>
        <li>
          Reject a very old <code className="mono">createdAt</code>. It is part of the signed body.
          The maximum delay of a delivery is not documented.
        </li>
      </ul>
    </Stack>
  )
}

function DuplicateList(props: { readonly duplicates: Related['sameBody']; readonly what: string }) {
  const { duplicates, what } = props
  const { total, rows } = duplicates
  if (total === 0) return null
  return (
    <p className="alike">
      <b>
        {what} {plural(total, 'more time', 'more times')}:
      </b>{' '}
      {rows.map(({ id, receivedAt }) => (
        <button
          key={id}
          type="button"
          className="link pad-x-1 mono"
          title={`Received ${shortDate(receivedAt)}`}
          onClick={() => openFromTrace(id)}
        >
          #{id}
        </button>
      ))}
      {total > rows.length && <span className="dim"> and {total - rows.length} earlier</span>}
    </p>
  )
}
