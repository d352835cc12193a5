import { CircleAlert, ClipboardCheck, Check } from 'lucide-react'
import { type Ref, useEffect, useRef, useState, useMemo } from 'react'
import { formatDate, formatCount as count, plural as counted } from '#shared/text/format.ts'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Note } from '../../ui/Note.tsx'
import { Page } from '../../ui/Page.tsx'
import { clockTimeSeconds, fullTime, utcTime, shortDate } from '../../ui/text/time.ts'
import { useNow } from '../../ui/use-now.ts'
import { saveText, loadText } from '../../platform/storage.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useClient } from '../../platform/use-client.ts'
import { Segments } from '../../ui/Segments.tsx'
import type { TypeConformance } from '#contract/deliveries.ts'
import { CallError, sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { ChangeList } from './ChangeList.tsx'
import { changesSince } from './changes.ts'
import { type Summary, summaryOf } from './summary.ts'
import { TypesTable } from './TypesTable.tsx'
import './ConformancePage.css'

/** Milliseconds between two askings while deliveries arrive. */
export const askedEvery = 4000

/** What is known of the store's conformance. */
export interface Conformance {
  /** Null: no answer yet. The last one stays while another is asked for, and when that fails. */
  readonly types: readonly TypeConformance[] | null
  /** When the answer came, in milliseconds since the epoch. */
  readonly at: number | null
  readonly asking: boolean
  /** Why the last asking failed, as a sentence. */
  readonly failure: string | null
}

export const nothingAsked: Conformance = { types: null, at: null, asking: false, failure: null }

interface Following {
  /** Asks now, or as soon as the asking that goes on has its answer. */
  ask(): void
  stop(): void
}

/** Asks at once, and again while deliveries of the live store come, go or change, one asking at a time. A log never changes. `now` in milliseconds since the epoch. */
export function followConformance(
  client: Client,
  log: number | null,
  tell: (change: Partial<Conformance>) => void,
  now: () => number,
): Following {
  let stopped = false
  let asking = false
  /** Something came while an answer was on its way: it may not know of it. */
  let stale = false
  let askedAt = 0
  let timer: ReturnType<typeof setTimeout> | null = null

  async function ask(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (asking) {
      stale = true
      return
    }
    asking = true
    stale = false
    askedAt = now()
    tell({ asking: true })
    try {
      const { types } = await client.call('deliveries.conformance', {
        log,
        since: null,
        before: null,
      })
      if (!stopped) tell({ types, at: now(), failure: null })
    } catch (error) {
      // A connection that is lost has its own banner, and all is asked again when it is back.
      const lost = error instanceof CallError && error.code === 'connection_lost'
      if (!stopped && !lost) tell({ failure: sentence(error) })
    }
    asking = false
    if (stopped) return
    tell({ asking: false })
    if (stale) soon()
  }

  function soon(): void {
    if (stopped) return
    if (asking) stale = true
    else timer ??= setTimeout(() => void ask(), Math.max(0, askedAt + askedEvery - now()))
  }

  const ends = [
    ...(log === null
      ? [
          client.on('deliveries.arrived', soon),
          client.on('deliveries.indexed', soon),
          client.on('deliveries.removed', soon),
        ]
      : []),
    client.onReload(soon),
    client.onConnection(({ phase }) => {
      if (phase === 'connected') soon()
    }),
  ]
  void ask()

  return {
    ask: () => void ask(),
    stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      for (const end of ends) end()
    },
  }
}

const sinceChoices = ['today', 'yesterday', 'week', 'date', 'all'] as const
type SinceChoice = (typeof sinceChoices)[number]

/** What is told apart: what came from a moment on against all before it. */
interface Since {
  readonly choice: SinceChoice
  /** `2026-11-17`, as a date field gives it; used with `date`. */
  readonly date: string
}

/**
 * The moment from which on things are new, in milliseconds since the epoch, at the beginning of a day in the zone of this machine; null:
 * none is chosen. `now` in milliseconds since the epoch.
 */
export function sinceOf({ choice, date }: Since, now: number): number | null {
  switch (choice) {
    case 'today':
      return dayBefore(now, 0)
    case 'yesterday':
      return dayBefore(now, 1)
    case 'week':
      return dayBefore(now, 7)
    case 'date':
      return startOf(date)
    case 'all':
      return null
  }
}

/** The beginning of the day that is `days` before that of `now`. By the calendar: a day may have 23 hours. */
function dayBefore(now: number, days: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime()
}

function startOf(date: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  if (!match) return null
  const [, year, month, day] = match
  return new Date(Number(year), Number(month) - 1, Number(day)).getTime()
}

const labels = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  date: 'A date',
  all: 'All',
} as const satisfies Record<SinceChoice, string>

const options = (['today', 'yesterday', 'week', 'date', 'all'] as const).map((value) => ({
  value,
  label: labels[value],
}))

interface SincePickerProps {
  readonly since: Since
  /** Milliseconds since the epoch: no later day can be chosen. */
  readonly now: number
  readonly onChange: (since: Since) => void
  readonly ref: Ref<HTMLDivElement>
}

/** From which day on things are called new. */
function SincePicker({ since, now, onChange, ref }: SincePickerProps) {
  return (
    <Row wrap gap={4} align="center" className="since-picker" ref={ref}>
      <span className="dim" aria-hidden>
        New since
      </span>
      <Segments
        label="New since"
        value={since.choice}
        options={options}
        onChange={(choice) => onChange({ ...since, choice })}
      />
      {since.choice === 'date' && (
        <input
          type="date"
          className="input"
          aria-label="New since this day"
          value={since.date}
          max={formatDate(new Date(now))}
          onChange={({ target }) => onChange({ ...since, date: target.value })}
        />
      )}
    </Row>
  )
}

const kept = 'tabscope.conformance.since'
const weekMs = 7 * 86_400_000

/** For each event type what came and where it departs from the document; on top what is new since a day. */
export function ConformancePage() {
  const { conformance, ask } = useConformance(null)
  const { types, at, failure } = conformance
  const now = useNow()
  const [since, setSince] = useState<Since>(() => ({
    choice: sinceChoices.find((choice) => choice === loadText(kept)) ?? 'today',
    date: formatDate(new Date(now - weekMs)),
  }))
  const picker = useRef<HTMLDivElement>(null)
  useKeys({
    recompute: ask,
    since: () => picker.current?.querySelector<HTMLInputElement>(':checked')?.focus(),
  })

  return (
    <Page
      title="Conformance"
      lead="What came, type by type, and where it departs from the service’s document."
      actions={
        <Row fixed gap={5} align="center">
          {at !== null && (
            <p className="dim">
              Computed at{' '}
              <time dateTime={utcTime(at)} title={fullTime(at)}>
                {clockTimeSeconds(at)}
              </time>
            </p>
          )}
          <Button hint="u" onClick={ask}>
            Compute again
          </Button>
        </Row>
      }
    >
      {failure !== null && types !== null && (
        <Note tone="invalid" alert action={<Button onClick={ask}>Try again</Button>}>
          {failure} What is shown is from before.
        </Note>
      )}
      {types !== null && types.length > 0 ? (
        <>
          <SincePicker
            ref={picker}
            since={since}
            now={now}
            onChange={(next) => {
              setSince(next)
              saveText(kept, next.choice)
            }}
          />
          <Report types={types} since={sinceOf(since, now)} />
        </>
      ) : (
        <NoReport empty={types !== null} failure={failure} ask={ask} />
      )}
    </Page>
  )
}

interface NoReportProps {
  /** The store was asked, and has no deliveries. */
  readonly empty: boolean
  readonly failure: string | null
  readonly ask: () => void
}

function NoReport({ empty, failure, ask }: NoReportProps) {
  if (empty) {
    return (
      <Empty
        icon={<ClipboardCheck aria-hidden />}
        title="Nothing to compare yet"
        actions={
          <a className="button" data-kind="plain" href="#/sandbox">
            Send samples from the sandbox
          </a>
        }
      >
        As soon as deliveries come, each type is compared with the service’s document here.
      </Empty>
    )
  }
  if (failure !== null) {
    return (
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="The summary could not be computed"
        actions={<Button onClick={ask}>Try again</Button>}
      >
        {failure}
      </Empty>
    )
  }
  return <div className="plain-card conformance-coming" role="status" aria-label="Computing" />
}

/** The conformance of the live store, or of a log; kept fresh while the page is open. */
function useConformance(log: number | null): { conformance: Conformance; ask: () => void } {
  const client = useClient()
  const [conformance, setConformance] = useState(nothingAsked)
  const following = useRef<Following | null>(null)
  useEffect(() => {
    const started = followConformance(
      client,
      log,
      (change) => setConformance((before) => ({ ...before, ...change })),
      Date.now,
    )
    following.current = started
    return () => {
      started.stop()
      following.current = null
    }
  }, [client, log])
  return { conformance, ask: () => following.current?.ask() }
}

interface ReportProps {
  readonly types: readonly TypeConformance[]
  /** Milliseconds since the epoch; null: no day is chosen. */
  readonly since: number | null
}

/** What changed, and all types with what was found. */
export function Report({ types, since }: ReportProps) {
  const summary = useMemo(() => summaryOf(types), [types])
  const changes = useMemo(
    () => (since === null ? null : changesSince(types, since)),
    [types, since],
  )
  // Where nothing is kept from before, everything would be new.
  const marked = changes?.comparable === true ? since : null
  return (
    <>
      <Stack as="section" gap={4} pad={[6, 6]} className="plain-card" aria-labelledby="changes">
        <h2 id="changes">What changed</h2>
        <ChangeList key={since} changes={changes} since={since} />
      </Stack>
      <Totals summary={summary} />
      {summary.known.length > 0 && (
        <Stack as="section" gap={4} aria-labelledby="known-types">
          <h2 id="known-types">Documented types</h2>
          <TypesTable name="Documented types" types={summary.known} since={marked} />
        </Stack>
      )}
      {summary.unknown.length > 0 && (
        <Stack as="section" gap={4} aria-labelledby="unknown-types">
          <h2 id="unknown-types">Not documented</h2>
          <TypesTable name="Not documented" types={summary.unknown} since={marked} />
        </Stack>
      )}
      {summary.unseen.length > 0 && (
        <Stack as="section" gap={4} aria-labelledby="unseen-types">
          <h2 id="unseen-types">Not seen</h2>
          <Row as="ul" wrap gap={3}>
            {summary.unseen.map((type) => (
              <li key={type} className="tag mono">
                {type}
              </li>
            ))}
          </Row>
        </Stack>
      )}
    </>
  )
}

function Totals({ summary }: { readonly summary: Summary }) {
  const { deliveries, known, unseen, unknown, kinds, oldestAt } = summary
  const found = [
    kinds.error > 0 && counted(kinds.error, 'error', 'errors'),
    kinds.warning > 0 && counted(kinds.warning, 'warning', 'warnings'),
    kinds.info > 0 && `${count(kinds.info)} worth knowing`,
  ].filter((part) => part !== false)
  return (
    <>
      {found.length === 0 && (
        <p className="conformance-agrees row gap-4 align-center pad-y-4 pad-x-5 round-m tone-valid weight-semibold">
          <Check aria-hidden strokeWidth={2.6} /> All received deliveries match the API
          documentation.
        </p>
      )}
      <Text as="p" tone="mid">
        {counted(deliveries, 'delivery', 'deliveries')} kept
        {oldestAt !== null && `, the oldest from ${shortDate(oldestAt)}`} · {known.length} of{' '}
        {known.length + unseen.length} types seen
        {unknown.length > 0 && `, ${count(unknown.length)} not documented`} ·{' '}
        {found.length === 0 ? 'no findings' : `kinds of findings: ${found.join(', ')}`}
      </Text>
    </>
  )
}
