import type { Scenario } from '#contract/scenarios.ts'
import { countsText } from '#contract/scenario-texts.ts'
import { plural } from '#shared/text/format.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { scenarioAddress, scenarioOf } from '#client/addresses/pages.ts'
import { useShell } from '#client/state/app.ts'
import { Empty, WhenLoaded } from '#kit/Note.tsx'
import { Icons } from '#kit/icons.tsx'
import { cx } from '#kit/cx.ts'
import { Shown } from '#kit/Shown.tsx'
import { shortDate } from '#kit/text/time.ts'
import { Time } from '#kit/Time.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { refreshMs, ScenarioDetail, stateLabels } from './ScenarioDetail.tsx'

const pushes = ['scenarios.changed', 'jobs.changed'] as const

/** All scenarios, and the one in the URL or else the first one. */
export function ScenariosPage() {
  const name = useShell((state) => scenarioOf(state.hash))
  const query = useQuery('scenarios.list', {})
  useRefresh(null, pushes, refreshMs, query.reload)
  return (
    <WhenLoaded query={query}>
      {(scenarios) => {
        const open = name ?? scenarios[0]?.name ?? null
        const isKnown = scenarios.some((each) => each.name === open)
        return (
          <div
            className={cx(
              'grid h-full',
              scenarios.length > 0 ? 'grid-cols-aside-1' : 'grid-cols-1',
              scenarios.length > 0 && 'jobs',
            )}
          >
            {scenarios.length > 0 && <ScenarioList scenarios={scenarios} open={open} />}
            {open !== null && isKnown ? (
              <ScenarioDetail key={open} name={open} />
            ) : (
              <Empty
                icon={Icons.ListChecks}
                title={open === null ? 'No scenarios yet' : 'Scenario not found'}
                actions={
                  <a className="button" data-kind="plain" href="#/deliveries">
                    Select deliveries
                  </a>
                }
              >
                Select deliveries in the list with <kbd>X</kbd>, then save them as a scenario. You
                can send it again and again, and see which responses changed.{' '}
                <LearnMore page="scenarios" />
              </Empty>
            )}
          </div>
        )
      }}
    </WhenLoaded>
  )
}

function ScenarioList({
  scenarios,
  open,
}: {
  scenarios: readonly Scenario[]
  open: string | null
}) {
  return (
    <nav
      className="min-w-0 overflow-auto border-r border-r-line bg-surface below-760:max-h-(--measure-field) below-760:border-0"
      aria-label="Scenarios"
      data-scrolls
    >
      <ul className="lined grid">
        {scenarios.map(({ id, name, deliveries, firstAt, lastRun }) => (
          <li key={id}>
            <a
              className="list-row text-s"
              href={scenarioAddress(name)}
              aria-current={name === open || undefined}
            >
              <span className="flex min-w-0 items-center justify-between gap-4">
                <b className="cut">
                  <Shown text={name} max={80} />
                </b>
                <Time at={firstAt} className="whitespace-nowrap text-dim">
                  {shortDate(firstAt)}
                </Time>
              </span>
              <span className="text-xs text-dim">
                {plural(deliveries, 'delivery', 'deliveries')}
              </span>
              <span className="text-xs text-dim">
                {lastRun === null
                  ? 'Not run yet'
                  : `${lastRun.state === 'done' ? '' : `${stateLabels[lastRun.state]}: `}${countsText(lastRun)}`}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
