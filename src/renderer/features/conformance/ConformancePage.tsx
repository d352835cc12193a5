import { CircleAlert, ClipboardCheck } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Page } from '../../components/Page.tsx'
import { clockTimeSeconds, fullTime, utcTime } from '../../components/text/time.ts'
import { useNow } from '../../components/use-now.ts'
import { keepText, keptText } from '../../platform/storage.ts'
import { useKeys } from '../shell/command-registry.ts'
import { Report } from './Report.tsx'
import './ConformancePage.css'
import { useClient } from '../../platform/use-client.ts'
import {
  type Conformance,
  followConformance,
  type Following,
  nothingAsked,
} from './follow-conformance.ts'
import { Segments } from '../../components/Segments.tsx'

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

/** The day of a moment as a date field takes it. */
export function dateOf(at: number): string {
  const day = new Date(at)
  const year = String(day.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
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
    <div className="since-picker" ref={ref}>
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
          max={dateOf(now)}
          onChange={({ target }) => onChange({ ...since, date: target.value })}
        />
      )}
    </div>
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
    choice: sinceChoices.find((choice) => choice === keptText(kept)) ?? 'today',
    date: dateOf(now - weekMs),
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
        <div className="conformance-state">
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
        </div>
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
              keepText(kept, next.choice)
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
