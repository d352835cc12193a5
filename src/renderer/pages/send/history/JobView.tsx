import { Icons } from '#kit/icons.tsx'
import type { Job } from '#contract/sending.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { ErrorText, Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { formatCount, formatDuration, plural } from '#shared/text/format.ts'
import { shortText } from '#kit/text/visible.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { jobAddress } from '#client/addresses/pages.ts'
import {
  resendFailed,
  resumeJob,
  outcomeWord,
  paceLabel,
  signatureLabel,
  subjectOf,
  summaryOf,
  JobControls,
  JobProgress,
  JobState,
} from '#parts/send/JobStrip.tsx'
import { JobItems } from './JobItems.tsx'
import { forgetJob, isOpen } from '#client/state/jobs.ts'
import { shortDate } from '#kit/text/time.ts'
import { statusTone } from '#kit/text/status.ts'
import { Time } from '#kit/Time.tsx'
import { filterAddress } from '#client/addresses/deliveries.ts'
import { useEndpoints } from '#client/state/live-values.ts'

/** One job: its progress, its result, and each of its deliveries. Keyed by its ID. */
export function JobView({ job }: { job: Job }) {
  return (
    <section className="min-w-0 overflow-auto" aria-label={`Job ${job.id}`} data-scrolls>
      <div className="grid grid-cols-1 gap-5 px-7 py-6 *:max-w-(--measure-page)">
        <header className="flex flex-wrap items-start justify-between gap-4 gap-x-6">
          <div>
            <h2 className="text-xl">{subjectOf(job)}</h2>
            <JobState job={job} />
          </div>
          <Commands job={job} />
        </header>
        <p className="text-l">{summaryOf(job)}</p>
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
      </div>
    </section>
  )
}

function Commands({ job }: { job: Job }) {
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
    <div className="flex flex-none items-center gap-3">
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
    </div>
  )
}

function Uncertain({ job }: { job: Job }) {
  const client = useClient()
  const many = job.uncertain
  const [they, them] = many === 1 ? ['it', 'it'] : ['they', 'them']
  return (
    <section
      className="framed-state grid grid-cols-auto-1 gap-5 rounded-lg border border-[color-mix(in_srgb,var(--tone)_40%,transparent)] bg-tone-soft px-6 py-5"
      data-tone="warning"
      aria-labelledby="uncertain"
    >
      <Icons.CircleHelp className="mt-1 text-tone icon-l" />
      <div className="grid gap-1">
        <h3 id="uncertain">{plural(many, 'delivery', 'deliveries')} with an unknown result</h3>
        <p>
          Tabscope was closed while sending {them}. If you send {them} again, {they} may arrive
          twice. If you skip {them}, {they} may never arrive. The job then resumes
          {job.waiting > 0 && ` with ${plural(job.waiting, 'delivery', 'deliveries')}`}.
        </p>
        <div className="mt-4 flex gap-4">
          <Button kind="primary" onClick={() => resumeJob(client, job.id, 'skip')}>
            Skip {them}
          </Button>
          <Button onClick={() => resumeJob(client, job.id, 'send')}>Send {them} again</Button>
        </div>
      </div>
    </section>
  )
}

function JobFacts({ job }: { job: Job }) {
  const endpoints = useEndpoints((state) => state.endpoints)
  const endpointName = (id: number): string =>
    endpoints.find((endpoint) => endpoint.id === id)?.name ?? 'a deleted endpoint'
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(var(--measure-menu),1fr))] items-start gap-5">
      <dl className="framed definitions px-6 py-5 text-s wrap-anywhere">
        <dt>Started</dt>
        <dd>
          <span>
            <Time at={job.createdAt}>{shortDate(job.createdAt)}</Time>
            {job.endedAt !== null && (
              <span className="text-dim">
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
            <span className="mono select-text">
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
    <table
      className="framed job-outcomes w-full py-3 text-s [&_td:last-child]:text-right"
      aria-label="Results"
    >
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
              <td
                className="[&>span]:block [&>span]:h-2 [&>span]:min-w-[2px] [&>span]:rounded-sm [&>span]:bg-tone"
                aria-hidden
              >
                <span style={{ width: `${(100 * outcome.count) / highest}%` }} />
              </td>
              <td>{formatCount(outcome.count)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
