import { CircleAlert, FlaskConical, ListChecks, Plus } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { formatCount } from '#shared/text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Page } from '../../ui/Page.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { SideButton, SidePage } from '../../ui/SidePage.tsx'
import { ago, fullTime, utcTime } from '../../ui/text/time.ts'
import { cut } from '../../ui/text/visible.ts'
import { useNow } from '../../ui/use-now.ts'
import { sentence } from '../../platform/call-error.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useClient } from '../../platform/use-client.ts'
import {
  rehearsalAddress,
  rehearseAddress,
  rehearseOAuthAddress,
  rehearsePlaceOf,
} from '../../routes/rehearse.ts'
import { useShell } from '../../state/app.ts'
import { newestRuns, takeRehearsals, useRehearsals } from '../../state/rehearsals.ts'
import { LearnMore } from '../help/index.ts'
import { finishedCases, gradeTone, RunState, targetOf } from './labels.tsx'
import { OAuthForm } from './OAuthForm.tsx'
import { RunView } from './RunView.tsx'
import { StartForm } from './StartForm.tsx'
import './Rehearse.css'

/** Tests of webhook handlers and OAuth clients: the forms that start one, and each run with its results. */
export function RehearsePage() {
  const client = useClient()
  const { runs, listed, failure } = useRehearsals()
  const hash = useShell((state) => state.hash)
  /** The address at which the list was opened in a narrow window. Opening one of its entries closes it. */
  const [listOpenedAt, setListOpenedAt] = useState<string | null>(null)
  const listShown = listOpenedAt === hash
  const place = rehearsePlaceOf(hash) ?? { kind: 'start', to: null, endpointId: null }
  useEffect(() => {
    if (listed || failure !== null) return
    client
      .call('rehearsals.list', { log: null })
      .then(takeRehearsals, (error: unknown) =>
        useRehearsals.setState({ failure: sentence(error) }),
      )
  }, [client, failure, listed])
  const rows = newestRuns(runs)
  const currentId = place.kind === 'run' ? place.id : null
  const run = rows.find(({ id }) => id === currentId)
  const go = (by: number): void => {
    const index = rows.findIndex(({ id }) => id === currentId)
    const next = index < 0 ? rows[0] : rows[index + by]
    if (next) location.assign(rehearsalAddress(next.id))
  }
  useKeys({
    'rehearsal-new': () => location.assign('#/rehearse'),
    'rehearsal-newer': () => go(-1),
    'rehearsal-older': () => go(1),
  })
  const openList = (): void => setListOpenedAt(hash)
  return (
    <SidePage
      title="Rehearse"
      label="Rehearsals"
      panel={<RunList runs={rows} currentId={currentId} listed={listed} />}
      shown={listShown}
      closeLabel="Close the list"
      onClose={() => setListOpenedAt(null)}
    >
      {place.kind !== 'run' ? (
        <StartPage kind={place.kind} listShown={listShown} onList={openList}>
          {place.kind === 'start' ? (
            <StartForm key={hash} to={place.to} endpointId={place.endpointId} />
          ) : (
            (place.runId === null || listed) && (
              <OAuthForm key={hash} earlier={rows.find(({ id }) => id === place.runId)} />
            )
          )}
        </StartPage>
      ) : run ? (
        <RunView key={run.id} run={run} place={place} listShown={listShown} onList={openList} />
      ) : failure !== null ? (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="Rehearsals could not be loaded"
          actions={
            <Button onClick={() => useRehearsals.setState({ failure: null })}>Try again</Button>
          }
        >
          {failure}
        </Empty>
      ) : listed ? (
        <Empty
          icon={<FlaskConical aria-hidden />}
          title={`Rehearsal ${place.id} not found`}
          actions={
            <a className="button" data-kind="primary" href="#/rehearse">
              New rehearsal
            </a>
          }
        >
          It may have been removed.
        </Empty>
      ) : (
        <div className="detail-coming" role="status" aria-label="Loading" />
      )}
    </SidePage>
  )
}

const kinds = [
  { value: 'start', label: 'Webhook handler' },
  { value: 'start-oauth', label: 'OAuth client' },
] as const

const leads = {
  start: 'Send designed test cases to your own webhook handler, and see what it gets wrong.',
  'start-oauth':
    'Connect your own app to an authorization server that tests it, and see what it gets wrong.',
} as const

interface StartPageProps {
  readonly kind: keyof typeof leads
  readonly listShown: boolean
  readonly onList: () => void
  readonly children: ReactNode
}

/** The form that starts a rehearsal, and the choice of what it tests. Each choice has an address of its own. */
function StartPage({ kind, listShown, onList, children }: StartPageProps) {
  return (
    <Page
      title={kind === 'start' ? 'Rehearse your handler' : 'Rehearse your OAuth client'}
      heading="h2"
      lead={leads[kind]}
      help={<LearnMore page="rehearsals" />}
      actions={
        <SideButton icon={<ListChecks aria-hidden />} open={listShown} onOpen={onList}>
          Rehearsals
        </SideButton>
      }
    >
      <Row>
        <Segments
          label="What to rehearse"
          value={kind}
          options={kinds}
          onChange={(value) =>
            location.assign(
              value === 'start' ? rehearseAddress(null, null) : rehearseOAuthAddress(null),
            )
          }
        />
      </Row>
      {children}
    </Page>
  )
}

interface RunListProps {
  /** Newest first. */
  readonly runs: readonly Rehearsal[]
  readonly currentId: number | null
  readonly listed: boolean
}

/** All runs, each with its state and grade. */
function RunList({ runs, currentId, listed }: RunListProps) {
  return (
    <>
      <Row fixed pad={[4, 5]} line="bottom">
        <a
          className="button wide"
          data-kind="plain"
          href="#/rehearse"
          aria-current={currentId === null ? 'page' : undefined}
        >
          <Plus aria-hidden /> New rehearsal
        </a>
      </Row>
      <div className="grow shrink scroll" data-scrolls>
        {runs.length === 0 && listed ? (
          <Empty icon={<FlaskConical aria-hidden />} title="No rehearsals yet">
            Test your webhook handler or your OAuth client.
          </Empty>
        ) : (
          <Stack as="ul" lined aria-label="Rehearsals">
            {runs.map((run) => (
              <RunRow key={run.id} run={run} current={run.id === currentId} />
            ))}
          </Stack>
        )}
      </div>
    </>
  )
}

function RunRow({ run, current }: { readonly run: Rehearsal; readonly current: boolean }) {
  const now = useNow()
  const { id, options, grade, counts, total, startedAt } = run
  return (
    <li>
      <a
        className="list-row size-s"
        href={rehearsalAddress(id)}
        aria-current={current || undefined}
        data-testid="rehearsal-row"
      >
        <Row as="span" align="center" justify="between" gap={4} shrink>
          <b className="cut">
            <Shown text={cut(shortTarget(targetOf(run)), 80)} />
          </b>
          {grade !== null && (
            <Text fixed nowrap className="tag" data-tone={gradeTone(grade)}>
              Grade {grade}
            </Text>
          )}
        </Row>
        <Row as="span" align="center" justify="between" gap={4} shrink>
          <RunState run={run} />
          <time className="dim" dateTime={utcTime(startedAt)} title={fullTime(startedAt)}>
            {ago(startedAt, now)}
          </time>
        </Row>
        <Text size="xs" tone="dim">
          {options.oauth && 'OAuth client, '}#{id}, {formatCount(finishedCases(run))} of{' '}
          {formatCount(total)} cases
          {counts.fail + counts.flaky > 0 && `, ${formatCount(counts.fail + counts.flaky)} failed`}
        </Text>
      </a>
    </li>
  )
}

/** The URL without its scheme. */
export function shortTarget(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
