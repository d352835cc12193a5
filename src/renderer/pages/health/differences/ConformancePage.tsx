import { Icons } from '#kit/icons.tsx'
import { useRef, useState, useMemo, type Ref } from 'react'
import { formatDate, formatCount, plural } from '#shared/text/format.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, Note, WhenLoaded } from '#kit/Note.tsx'
import { Page } from '#kit/Page.tsx'
import { shortDate } from '#kit/text/time.ts'
import { useLog, useEditable } from '#client/state/scope.ts'
import { useNow } from '#kit/Time.tsx'
import { saveText, loadText } from '#kit/storage.ts'
import { useKeys } from '#client/command-registry.ts'
import { useQuery, useRefresh, useClient } from '#client/use-client.ts'
import { useAction } from '#kit/use-action.ts'
import { generateAddress } from '#client/addresses/pages.ts'
import { Segments } from '#kit/Switch.tsx'
import type { TypeConformance, FieldNotice, JsonKind } from '#contract/deliveries.ts'
import { ChangeList, changesSince, TypeName } from './ChangeList.tsx'
import { summaryOf, type Summary } from './summary.ts'
import { TypesTable } from './TypesTable.tsx'
import { describeType } from '#catalogue/field-type.ts'
import type { CallOutput } from '#contract/calls.ts'
import { Shown } from '#kit/Shown.tsx'
import { DeliveryMoment, filterForField, FilterLink } from './links.tsx'
import './ConformancePage.css'

/** Minimum milliseconds between two requests while deliveries are received. */
const requestInterval = 4000
const pushes = ['deliveries.arrived', 'deliveries.indexed', 'deliveries.removed'] as const

const sinceChoices = [
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'date', label: 'Date' },
  { value: 'all', label: 'All' },
] as const
type SinceChoice = (typeof sinceChoices)[number]['value']

/** The selected start of the period whose changes are shown. */
interface Since {
  readonly choice: SinceChoice
  /** Such as `2026-11-17`; used with `date`. */
  readonly date: string
}

/**
 * Returns the start of the selected period in milliseconds since the epoch, at the start of a day in the local time zone; null if none is
 * selected. `now` in milliseconds since the epoch.
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

/** Returns the start of the day `days` before `now`. Uses the calendar, since a day can have 23 hours. */
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

interface SincePickerProps {
  readonly since: Since
  /** Milliseconds since the epoch. Later days cannot be selected. */
  readonly now: number
  readonly onChange: (since: Since) => void
  readonly ref: Ref<HTMLDivElement>
}

function SincePicker({ since, now, onChange, ref }: SincePickerProps) {
  return (
    <div
      className="flex flex-wrap items-center gap-4 [&_.input]:w-(--measure-field) [&_.input]:flex-none"
      ref={ref}
    >
      <span className="text-dim" aria-hidden>
        New since
      </span>
      <Segments
        label="New since"
        value={since.choice}
        options={sinceChoices}
        onChange={(choice) => onChange({ ...since, choice })}
      />
      {since.choice === 'date' && (
        <input
          type="date"
          className="input"
          aria-label="New since date"
          value={since.date}
          max={formatDate(new Date(now))}
          onChange={({ target }) => onChange({ ...since, date: target.value })}
        />
      )}
    </div>
  )
}

const sinceKey = 'tabscope.conformance.since'
const weekMs = 7 * 86_400_000

export function ConformancePage() {
  const log = useLog()
  const query = useQuery('deliveries.conformance', { log, since: null, before: null })
  useRefresh(log, pushes, requestInterval, query.reload)
  const fields = useQuery('deliveries.fields', { log })
  useRefresh(log, ['deliveries.observed'], requestInterval, fields.reload)
  const observed = fields.state.phase === 'ready' ? fields.state.value : null
  const now = useNow()
  const [since, setSince] = useState<Since>(() => ({
    choice:
      log === null
        ? (sinceChoices.find(({ value }) => value === loadText(sinceKey))?.value ?? 'today')
        : 'all',
    date: formatDate(new Date(now - weekMs)),
  }))
  const picker = useRef<HTMLDivElement>(null)
  useKeys({
    recompute: query.reload,
    since: () => picker.current?.querySelector<HTMLInputElement>(':checked')?.focus(),
  })

  return (
    <Page
      lead="Received deliveries by type, and where they differ from the API documentation."
      actions={
        <>
          {log === null && (
            <a
              className="button"
              data-kind="plain"
              href={generateAddress({ output: 'types', target: '', observed: '' })}
            >
              Generate types from deliveries
            </a>
          )}
          <Button hint="u" onClick={query.reload}>
            Compute again
          </Button>
        </>
      }
    >
      {observed && <FieldNotices notices={observed.notices} />}
      <WhenLoaded
        query={query}
        loading={
          <div
            className="plain-card h-(--measure-aside) coming"
            role="status"
            aria-label="Loading"
          />
        }
      >
        {({ types }) =>
          types.length > 0 ? (
            <>
              <SincePicker
                ref={picker}
                since={since}
                now={now}
                onChange={(next) => {
                  setSince(next)
                  if (log === null) saveText(sinceKey, next.choice)
                }}
              />
              <Report types={types} since={sinceOf(since, now)} />
            </>
          ) : (
            <NoDeliveries />
          )
        }
      </WhenLoaded>
    </Page>
  )
}

function NoDeliveries() {
  return (
    <Empty
      icon={Icons.ClipboardCheck}
      title="Nothing to compare yet"
      actions={
        <a className="button" data-kind="plain" href="#/setup/sandbox">
          Send samples from the sandbox
        </a>
      }
    >
      Each type is compared with the API documentation as soon as deliveries are received.
    </Empty>
  )
}

interface ReportProps {
  readonly types: readonly TypeConformance[]
  /** Milliseconds since the epoch; null if no day is selected. */
  readonly since: number | null
}

/** The changes, and all types with their findings. */
export function Report({ types, since }: ReportProps) {
  const summary = useMemo(() => summaryOf(types), [types])
  const changes = useMemo(
    () => (since === null ? null : changesSince(types, since)),
    [types, since],
  )
  // Without earlier deliveries, everything would be new.
  const marked = changes?.comparable === true ? since : null
  return (
    <>
      <section className="plain-card grid gap-4 p-6" aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        <ChangeList key={since} changes={changes} since={since} />
      </section>
      <Totals summary={summary} />
      {summary.known.length > 0 && (
        <section className="grid gap-4" aria-labelledby="known-types">
          <h2 id="known-types">Documented types</h2>
          <TypesTable name="Documented types" types={summary.known} since={marked} />
        </section>
      )}
      {summary.unknown.length > 0 && (
        <section className="grid gap-4" aria-labelledby="unknown-types">
          <h2 id="unknown-types">Not documented</h2>
          <TypesTable name="Not documented" types={summary.unknown} since={marked} />
        </section>
      )}
      {summary.unseen.length > 0 && (
        <section className="grid gap-4" aria-labelledby="unseen-types">
          <h2 id="unseen-types">Not received</h2>
          <ul className="flex flex-wrap gap-3">
            {summary.unseen.map((type) => (
              <li key={type} className="tag mono">
                {type}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Totals({ summary }: { readonly summary: Summary }) {
  const { deliveries, known, unseen, unknown, kinds, oldestAt } = summary
  const found = [
    kinds.error > 0 && plural(kinds.error, 'error', 'errors'),
    kinds.warning > 0 && plural(kinds.warning, 'warning', 'warnings'),
    kinds.info > 0 && `${formatCount(kinds.info)} info`,
  ].filter((part) => part !== false)
  return (
    <>
      {found.length === 0 && (
        <p className="flex items-center gap-4 rounded-md bg-valid-soft px-5 py-4 font-semibold text-valid">
          <Icons.Check strokeWidth={2.6} /> All received deliveries match the API documentation.
        </p>
      )}
      <p className="text-mid">
        {plural(deliveries, 'delivery', 'deliveries')} stored
        {oldestAt !== null && `, the oldest from ${shortDate(oldestAt)}`} · {known.length} of{' '}
        {known.length + unseen.length} types received
        {unknown.length > 0 && `, ${formatCount(unknown.length)} not documented`} ·{' '}
        {found.length === 0 ? 'no findings' : `kinds of findings: ${found.join(', ')}`}
      </p>
    </>
  )
}

type Fields = CallOutput<'deliveries.fields'>

const initialNotices = 8

const kindTexts = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
  array: 'list',
} as const satisfies Record<JsonKind, string>

/** What changed in payloads without an announcement, until the user dismisses it. */
function FieldNotices({ notices }: Pick<Fields, 'notices'>) {
  const client = useClient()
  const editable = useEditable()
  const [all, setAll] = useState(false)
  const dismiss = useAction(async () => {
    await client.call('deliveries.dismissNotices', {})
  })
  if (notices.length === 0) return null
  const visible = all ? notices : notices.slice(0, initialNotices)
  return (
    <section className="plain-card grid gap-4 p-6" aria-labelledby="notices">
      <h2 id="notices">Payload changes</h2>
      <p className="text-mid">
        Check that your handler ignores new fields, works without absent ones, and accepts new
        types.
      </p>
      {dismiss.message !== null && <Note tone="invalid">{dismiss.message}</Note>}
      <ul className="lined changes grid [&_.disc]:mr-3 [&_.disc]:align-[-0.2em] [&_li]:grid-cols-key-1 [&_li>.tag]:justify-self-start [&_li>.tag]:font-semibold">
        {visible.map((notice) => (
          <li key={`${notice.type} ${notice.path} ${notice.change} ${notice.kind}`}>
            <span className="tag" data-tone={notice.change === 'appeared' ? 'info' : 'warning'}>
              {titles[notice.change]}
            </span>
            <p>
              <Sentence notice={notice} />
            </p>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-4">
        {visible.length < notices.length && (
          <Button onClick={() => setAll(true)}>
            Show {formatCount(notices.length - visible.length)} more
          </Button>
        )}
        {editable && (
          <Button disabled={dismiss.busy} onClick={() => dismiss.start()}>
            Dismiss all
          </Button>
        )}
      </div>
    </section>
  )
}

const titles = {
  appeared: 'New field',
  absent: 'Absent',
  type: 'New type',
} as const satisfies Record<FieldNotice['change'], string>

function Sentence({ notice }: { readonly notice: FieldNotice }) {
  const { type, path, change, kind, documented, id, at } = notice
  const filter = filterForField(type, path, change !== 'absent')
  return (
    <>
      <Path path={path} /> of <TypeName type={type} />:{' '}
      {change === 'absent' ? 'last' : change === 'type' && kind ? kindTexts[kind] : 'first'}
      {change === 'type' && ' for the first time'} in <DeliveryMoment id={id} at={at} word="on " />.{' '}
      {documented ? `Documented as ${documentedText(documented)}.` : 'Not documented.'}{' '}
      {isHidden(path) && 'Its name may be a value, so it is not stored. '}
      {filter !== null && (
        <FilterLink filter={filter}>
          Show deliveries {change === 'absent' ? 'without' : 'with'} it
        </FilterLink>
      )}
    </>
  )
}

function Path({ path }: { readonly path: string }) {
  return (
    <code
      className="mono"
      title={isHidden(path) ? 'Names that may be values are not stored.' : undefined}
    >
      <Shown text={path} max={120} />
    </code>
  )
}

function isHidden(path: string): boolean {
  return /(?:^|\.)\*/.test(path)
}

function documentedText({ type, optional }: NonNullable<FieldNotice['documented']>): string {
  return `${describeType(type)}${optional ? ', optional' : ''}`
}
