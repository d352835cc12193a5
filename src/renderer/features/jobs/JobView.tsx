import { Icons } from '../../ui/icons.tsx'
import type { Job } from '#contract/sending.ts'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { confirm } from '../../ui/Confirm.tsx'
import { ErrorText, Note } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { formatCount, formatDuration, plural } from '#shared/text/format.ts'
import { shortText } from '../../ui/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { jobAddress } from '../../routes/pages.ts'
import { resendFailed, resumeJob } from './commands.ts'
import { JobItems } from './JobItems.tsx'
import { JobControls, JobProgress, JobState } from './JobStrip.tsx'
import { forgetJob, isOpen } from '../../state/jobs.ts'
import { outcomeWord, paceLabel, signatureLabel, subjectOf, summaryOf } from './labels.ts'
import { shortDate } from '../../ui/text/time.ts'
import { statusTone } from '../../ui/text/status.ts'
import { Time } from '../../ui/Time.tsx'
import { filterAddress } from '../../routes/deliveries.ts'
import { useEndpoints } from '../../state/endpoints.ts'

/** One job: its progress, its result, and each of its deliveries. Keyed by its ID. */
export function JobView({ job }: { readonly job: Job }) {
  return (
    <section className="scroll shrink" aria-label={`Job ${job.id}`} data-scrolls>
      <Grid columns="1" gap={5} pad={[6, 7]} className="job">
        <Row as="header" wrap align="start" justify="between" gap={4} gapX={6}>
          <div>
            <Text as="h2" size="xl">
              {subjectOf(job)}
            </Text>
            <JobState job={job} />
          </div>
          <Commands job={job} />
        </Row>
        <Text as="p" size="l">
          {summaryOf(job)}
        </Text>
        <JobProgress job={job} legend />
        {job.reason !== null && (
          <Note tone="warning">
            <Shown text={job.reason} />
          </Note>
        )}
        {job.uncertain > 0 && job.state !== 'running' && isOpen(job) && <Uncertain job={job} />}
        {job.state === 'interrupted' && job.uncertain === 0 && (
          <Note tone="warning">
            Tabscope was closed during this job. No request was in progress: the job can resume, and
            no delivery is sent twice.
          </Note>
        )}
        <JobFacts job={job} />
        <JobItems job={job} />
      </Grid>
    </section>
  )
}

function Commands({ job }: { readonly job: Job }) {
  const client = useClient()
  const again = useAction(() => resendFailed(client, job.id))
  const remove = (): void =>
    confirm({
      title: `Remove job ${job.id}?`,
      description: 'Removes the job and its results. The attempts are kept with their deliveries.',
      action: 'Remove',
      async run() {
        await client.call('jobs.remove', { id: job.id })
        forgetJob(job.id)
        location.assign(jobAddress(null))
      },
    })
  return (
    <Row fixed align="center" gap={3}>
      <JobControls job={job} main />
      {!isOpen(job) && job.failed > 0 && (
        <Button
          kind="primary"
          icon={Icons.RotateCw}
          busy={again.busy}
          title={job.url === null ? 'Each to its last target' : `To ${shortText(job.url, 200)}`}
          onClick={() => again.start()}
        >
          {job.failed === 1 ? 'Re-send 1 failed' : `Re-send ${formatCount(job.failed)} failed`}
        </Button>
      )}
      <ErrorText as="span" error={again.error} />
      {job.state !== 'running' && (
        <Button kind="quiet" icon={Icons.Trash2} onClick={remove}>
          Remove
        </Button>
      )}
    </Row>
  )
}

/** Deliveries with an unknown result after a crash, and the two options for them. */
function Uncertain({ job }: { readonly job: Job }) {
  const client = useClient()
  const many = job.uncertain
  const [they, them] = many === 1 ? ['it', 'it'] : ['they', 'them']
  return (
    <Grid
      as="section"
      columns="auto 1"
      gap={5}
      pad={[5, 6]}
      frame="state"
      data-tone="warning"
      aria-labelledby="uncertain"
    >
      <Icons.CircleHelp className="margin-top-1 icon-l tone-state" />
      <Stack gap={1}>
        <h3 id="uncertain">{plural(many, 'delivery', 'deliveries')} with an unknown result</h3>
        <p>
          Tabscope was closed while sending {them}. If you send {them} again, {they} may arrive
          twice. If you skip {them}, {they} may never arrive. The job then resumes
          {job.waiting > 0 && ` with ${plural(job.waiting, 'delivery', 'deliveries')}`}.
        </p>
        <Row gap={4} marginTop={4}>
          <Button kind="primary" onClick={() => resumeJob(client, job.id, 'skip')}>
            Skip {them}
          </Button>
          <Button onClick={() => resumeJob(client, job.id, 'send')}>Send {them} again</Button>
        </Row>
      </Stack>
    </Grid>
  )
}

function JobFacts({ job }: { readonly job: Job }) {
  const endpoints = useEndpoints((state) => state.endpoints)
  const endpointName = (id: number): string =>
    endpoints.find((endpoint) => endpoint.id === id)?.name ?? 'a deleted endpoint'
  return (
    <div className="job-facts">
      <dl className="framed definitions anywhere size-s pad-y-5 pad-x-6">
        <dt>Started</dt>
        <dd>
          <span>
            <Time at={job.createdAt}>{shortDate(job.createdAt)}</Time>
            {job.endedAt !== null && (
              <span className="dim">
                , ended after {formatDuration(job.endedAt - job.createdAt)}
              </span>
            )}
          </span>
        </dd>
        {job.filter !== null && (
          <>
            <dt>Filter</dt>
            <dd>
              <a className="mono" href={filterAddress(job.filter)}>
                {job.filter.trim() === '' ? (
                  'all deliveries'
                ) : (
                  <Shown text={job.filter} max={400} />
                )}
              </a>
            </dd>
          </>
        )}
        <dt>To</dt>
        <dd>
          {job.url === null ? (
            'each to its default target'
          ) : (
            <span className="mono selectable">
              <Shown text={job.url} max={1000} />
            </span>
          )}
        </dd>
        <dt>Pace</dt>
        <dd>{paceLabel(job.pace)}</dd>
        <dt>Signature</dt>
        <dd>
          <Shown text={signatureLabel(job.sign, endpointName)} />
          {job.edited && <span className="tag">edited</span>}
        </dd>
      </dl>
      <Outcomes results={job.results} />
    </div>
  )
}

function Outcomes({ results }: Pick<Job, 'results'>) {
  if (results.length === 0) return null
  const highest = Math.max(...results.map((outcome) => outcome.count))
  return (
    <table className="framed wide size-s pad-y-3 job-outcomes" aria-label="Results">
      <tbody>
        {[...results]
          .sort((a, b) => b.count - a.count)
          .map((outcome) => (
            <tr
              key={`${outcome.status} ${outcome.error}`}
              data-tone={outcome.status === null ? 'invalid' : statusTone(outcome.status)}
            >
              <th scope="row">
                <Shown text={outcomeWord(outcome)} max={200} />
              </th>
              <td className="job-outcome-bar" aria-hidden>
                <span style={{ width: `${(100 * outcome.count) / highest}%` }} />
              </td>
              <td>{formatCount(outcome.count)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
