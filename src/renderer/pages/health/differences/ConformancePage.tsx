import { Icons } from '#kit/icons.tsx'
import { useState, useMemo } from 'react'
import { formatCount, plural } from '#shared/text/format.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, Note, WhenLoaded } from '#kit/Note.tsx'
import { Page } from '#kit/Page.tsx'
import { shortDate } from '#kit/text/time.ts'
import { useLog, useEditable } from '#client/state/scope.ts'
import { useQuery, useRefresh, useClient } from '#client/use-client.ts'
import { useAction } from '#kit/use-action.ts'
import { generateAddress } from '#client/addresses/pages.ts'
import type { TypeConformance, FieldNotice, JsonKind } from '#contract/deliveries.ts'
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

export function ConformancePage() {
  const log = useLog()
  const query = useQuery('deliveries.conformance', { log, since: null, before: null })
  useRefresh(log, pushes, requestInterval, query.reload)
  const fields = useQuery('deliveries.fields', { log })
  useRefresh(log, ['deliveries.observed'], requestInterval, fields.reload)
  const observed = fields.state.phase === 'ready' ? fields.state.value : null
  return (
    <Page
      lead="Received deliveries by type, and where they differ from the API documentation."
      actions={
        log === null && (
          <a
            className="button"
            data-kind="plain"
            href={generateAddress({ output: 'types', target: '', observed: '' })}
          >
            Generate types from deliveries
          </a>
        )
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
        {({ types }) => (types.length > 0 ? <Report types={types} /> : <NoDeliveries />)}
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

/** All types with their findings. */
export function Report({ types }: { types: readonly TypeConformance[] }) {
  const summary = useMemo(() => summaryOf(types), [types])
  return (
    <>
      <Totals summary={summary} />
      {summary.known.length > 0 && (
        <section className="grid gap-4" aria-labelledby="known-types">
          <h2 id="known-types">Documented types</h2>
          <TypesTable name="Documented types" types={summary.known} />
        </section>
      )}
      {summary.unknown.length > 0 && (
        <section className="grid gap-4" aria-labelledby="unknown-types">
          <h2 id="unknown-types">Not documented</h2>
          <TypesTable name="Not documented" types={summary.unknown} />
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

function Totals({ summary }: { summary: Summary }) {
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
      <ul className="notices lined [&_li]:grid [&_li]:grid-cols-[var(--bar)_minmax(0,1fr)] [&_li]:items-baseline [&_li]:gap-4 [&_li]:py-3 [&_li]:wrap-anywhere [&_li>.tag]:justify-self-start [&_li>.tag]:font-semibold">
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

function Sentence({ notice }: { notice: FieldNotice }) {
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

function TypeName({ type }: { type: string | null }) {
  if (type === null) return 'deliveries without a type'
  return (
    <b className="mono">
      <Shown text={type} max={80} />
    </b>
  )
}

function Path({ path }: { path: string }) {
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
