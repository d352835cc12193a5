import { useEffect, useState, type ReactNode } from 'react'
import { healthGroupings, healthRanges } from '#contract/constants.ts'
import type { HealthOverview, HealthRange, HealthScope } from '#contract/health.ts'
import { formatCount, formatDuration } from '#shared/text/format.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { healthAddress, healthPlaceOf, type HealthPlace } from '#client/addresses/health.ts'
import { useShell } from '#client/state/app.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, WhenLoaded } from '#kit/Note.tsx'
import { Icons } from '#kit/icons.tsx'
import { cx } from '#kit/cx.ts'
import { Page } from '#kit/Page.tsx'
import { Segments } from '#kit/Switch.tsx'
import { shortDate } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { Charts } from './Charts.tsx'
import { Codes, Groups, useScopeNames } from './Groups.tsx'
import { formatShare } from './specs.ts'
import './HealthPage.css'

const rangeLabels = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  year: 'Year',
} as const satisfies Record<HealthRange, string>

/** Minimum milliseconds between two requests while deliveries are received, and the longest time without one. */
const requestInterval = 5000
const minute = 60_000
const pushes = ['deliveries.arrived', 'health.changed'] as const

/** What was received over time, and where it failed. */
export function HealthPage() {
  const place = healthPlaceOf(useShell((state) => state.hash))
  const { range, by, scope } = place
  const query = useQuery('health.overview', { range, by, ...scope })
  const [asTables, setAsTables] = useState(false)
  useRefresh(null, pushes, requestInterval, query.reload)
  useEffect(() => {
    const timer = setInterval(query.reload, minute)
    return () => clearInterval(timer)
  }, [query.reload])
  const go = (change: Partial<HealthPlace>): void =>
    location.assign(healthAddress({ ...place, ...change }))
  return (
    <Page
      lead="What was received over time, how late, and what failed."
      help={<LearnMore page="health" />}
      wide
    >
      <div className="flex flex-wrap items-center gap-3 gap-x-4">
        <Segments
          label="Time"
          value={range}
          options={healthRanges.map((value) => ({ value, label: rangeLabels[value] }))}
          onChange={(next) => go({ range: next })}
        />
        <ScopeChips scope={scope} onChange={(next) => go({ scope: next })} />
        <Button className="ml-auto" aria-pressed={asTables} onClick={() => setAsTables(!asTables)}>
          {asTables ? 'Show as charts' : 'Show as tables'}
        </Button>
      </div>
      <WhenLoaded
        query={query}
        loading={
          <div
            className="plain-card h-(--measure-panel) coming"
            role="status"
            aria-label="Loading"
          />
        }
      >
        {(overview) =>
          isNothing(overview, scope) ? (
            <NothingCounted />
          ) : (
            <>
              <Facts overview={overview} />
              <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,calc(var(--measure-menu)+var(--space-10)))] items-start gap-6 below-1180:grid-cols-1">
                <Charts overview={overview} scope={scope} asTables={asTables} />
                <div className="grid min-w-0 gap-5">
                  <Groups
                    overview={overview}
                    by={by}
                    scope={scope}
                    onBy={(next) => go({ by: next })}
                    onScope={(next) => go({ scope: next })}
                  />
                  <Codes overview={overview} scope={scope} />
                </div>
              </div>
            </>
          )
        }
      </WhenLoaded>
    </Page>
  )
}

function ScopeChips({
  scope,
  onChange,
}: {
  scope: HealthScope
  onChange: (scope: HealthScope) => void
}) {
  const nameOf = useScopeNames()
  const { endpointId, location, type } = scope
  const values = {
    endpoint: endpointId === undefined ? undefined : String(endpointId ?? ''),
    location,
    type,
  }
  return healthGroupings.map((by) => {
    const value = values[by]
    if (value === undefined) return null
    const name = shortText(nameOf(by, value), 40)
    const { [by === 'endpoint' ? 'endpointId' : by]: _, ...rest } = scope
    return (
      <Button key={by} aria-label={`Remove ${by} ${name}`} onClick={() => onChange(rest)}>
        <span className="text-dim">{by}</span> {name} <Icons.X />
      </Button>
    )
  })
}

function isNothing({ countedFrom, from, total }: HealthOverview, scope: HealthScope): boolean {
  if (countedFrom === null) return true
  return total.received === 0 && countedFrom >= from && Object.keys(scope).length === 0
}

function NothingCounted() {
  return (
    <Empty
      icon={Icons.Activity}
      title="Nothing counted yet"
      actions={
        <a className="button" data-kind="plain" href="#/setup/sandbox">
          Send samples from the sandbox
        </a>
      }
    >
      From the first delivery on, this page shows how many arrive, how late, and what fails. After
      three weeks, alerts report what is unusual for the weekday and hour.
    </Empty>
  )
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}

function Facts({ overview }: { overview: HealthOverview }) {
  const { total, failed, handler, countedFrom, from } = overview
  const failures = sum(failed)
  const unanswered = sum(handler.rejected) + sum(handler.noResponse)
  const sent = sum(handler.ok) + unanswered
  return (
    <dl className="flex flex-wrap gap-5 gap-x-8 [font-variant-numeric:tabular-nums]">
      <Fact
        name="Deliveries"
        note={total.usual !== null && `usually ${formatCount(Math.round(total.usual))}`}
      >
        {formatCount(total.received)}
      </Fact>
      <Fact
        name="Failed signatures"
        note={failures > 0 && formatShare(failures / Math.max(1, total.received))}
        bad={failures > 0}
      >
        {formatCount(failures)}
      </Fact>
      <Fact
        name="Delay"
        note={total.delay.p90 !== null && `90 %: ${formatDuration(total.delay.p90)}`}
      >
        {total.delay.p50 === null ? '–' : formatDuration(total.delay.p50)}
      </Fact>
      <Fact
        name="Failed at your handler"
        note={sent > 0 && `of ${formatCount(sent)} sent`}
        bad={unanswered > 0}
      >
        {sent === 0 ? '–' : formatCount(unanswered)}
      </Fact>
      <Fact
        name="Response time"
        note={total.response.p90 !== null && `90 %: ${formatDuration(total.response.p90)}`}
      >
        {total.response.p50 === null ? '–' : formatDuration(total.response.p50)}
      </Fact>
      {countedFrom !== null && countedFrom > from && (
        <Fact name="Counted since">{shortDate(countedFrom)}</Fact>
      )}
    </dl>
  )
}

interface FactProps {
  name: string
  note?: string | false
  bad?: boolean
  children: ReactNode
}

function Fact({ name, note, bad, children }: FactProps) {
  return (
    <div>
      <dt className="text-s text-dim">{name}</dt>
      <dd>
        <span className={cx('text-l font-semibold', bad ? 'text-invalid' : 'text-ink')}>
          {children}
        </span>
        {note && <span className="text-s text-mid"> {note}</span>}
      </dd>
    </div>
  )
}
