import type { Scenario } from '#contract/scenarios.ts'
import { countsText } from '#contract/scenario-texts.ts'
import { plural } from '#shared/text/format.ts'
import { useQuery, useRefresh } from '../../platform/use-client.ts'
import { scenarioAddress, scenarioOf } from '../../routes/scenarios.ts'
import { useShell } from '../../state/app.ts'
import { Empty, WhenLoaded } from '../../ui/Note.tsx'
import { Icons } from '../../ui/icons.tsx'
import { Grid, Row, Stack, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { shortDate } from '../../ui/text/time.ts'
import { Time } from '../../ui/Time.tsx'
import { LearnMore } from '../help/index.ts'
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
          <Grid
            columns={scenarios.length > 0 ? 'aside 1' : '1'}
            full
            {...(scenarios.length > 0 && { className: 'jobs' })}
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
          </Grid>
        )
      }}
    </WhenLoaded>
  )
}

interface ListProps {
  readonly scenarios: readonly Scenario[]
  readonly open: string | null
}

function ScenarioList({ scenarios, open }: ListProps) {
  return (
    <nav className="scroll shrink background-surface job-list" aria-label="Scenarios" data-scrolls>
      <Stack as="ul" lined>
        {scenarios.map(({ id, name, deliveries, firstAt, lastRun }) => (
          <li key={id}>
            <a
              className="list-row size-s"
              href={scenarioAddress(name)}
              aria-current={name === open || undefined}
            >
              <Row as="span" align="center" justify="between" gap={4} shrink>
                <b className="cut">
                  <Shown text={name} max={80} />
                </b>
                <Time at={firstAt} className="dim nowrap">
                  {shortDate(firstAt)}
                </Time>
              </Row>
              <Text size="xs" tone="dim">
                {plural(deliveries, 'delivery', 'deliveries')}
              </Text>
              <Text size="xs" tone="dim">
                {lastRun === null
                  ? 'Not run yet'
                  : `${lastRun.state === 'done' ? '' : `${stateLabels[lastRun.state]}: `}${countsText(lastRun)}`}
              </Text>
            </a>
          </li>
        ))}
      </Stack>
    </nav>
  )
}
