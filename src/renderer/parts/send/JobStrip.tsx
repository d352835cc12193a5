import { Icons } from '#kit/icons.tsx'
import type { Job, JobPace, SignChoice } from '#contract/sending.ts'
import { StatusLine } from '#kit/Strip.tsx'
import { Button } from '#kit/Button.tsx'
import { formatCount, formatDuration, plural } from '#shared/text/format.ts'
import { useClient } from '#client/use-client.ts'
import { useShell } from '#client/state/app.ts'
import { jobAddress, scenarioAddress } from '#client/addresses/pages.ts'
import { dismissJob, isOpen, jobToReport, useJobs, setJob } from '#client/state/jobs.ts'
import { StateMark } from '#kit/Mark.tsx'
import { statusWord } from '#kit/text/status.ts'
import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { withConfirmation } from './ConfirmTarget.tsx'
import './Jobs.css'

/** The progress of a job, on every page while deliveries are re-sent, and afterwards until it is dismissed. */
export function JobStrip() {
  const job = useJobs(jobToReport)
  const onJobsPage = useShell((state) => state.tab === jobAddress(null))
  if (job === null || onJobsPage) return null
  return (
    <StatusLine
      label="Job progress"
      icon={<Icons.RotateCw className="text-accent" />}
      progress={<JobProgress job={job} legend={false} />}
      actions={
        <>
          <JobControls job={job} />
          <a
            className="button"
            data-kind="plain"
            href={job.scenario === null ? jobAddress(job.id) : scenarioAddress(job.scenario.name)}
          >
            {job.uncertain > 0 ? 'Decide' : 'Show'}
          </a>
        </>
      }
      onClose={isOpen(job) ? undefined : () => dismissJob(job.id)}
      sentence={
        <span role="status">
          {job.state === 'running' ? (
            <>
              Re-sending <b>{formatCount(finishedCount(job))}</b> of {formatCount(job.total)}
              {job.failed > 0 && (
                <span className="font-semibold text-invalid">
                  , {formatCount(job.failed)} failed
                </span>
              )}
            </>
          ) : (
            <>
              <b>{jobStates[job.state].word}</b>: {summaryOf(job)}
            </>
          )}
        </span>
      }
    />
  )
}

interface ControlsProps {
  job: Job
  /** Whether the page shows this job, so that its key works and the buttons stand out. */
  main?: boolean
}

/** The buttons that pause, resume and cancel a job. */
export function JobControls({ job, main = false }: ControlsProps) {
  const client = useClient()
  if (!isOpen(job)) return null
  const kind = main ? 'plain' : 'quiet'
  const hint = main ? { hint: 'p' } : {}
  return (
    <>
      {job.state === 'running' ? (
        <Button {...hint} kind={kind} icon={Icons.Pause} onClick={() => pauseJob(client, job.id)}>
          Pause
        </Button>
      ) : (
        job.uncertain === 0 && (
          <Button
            {...hint}
            kind={main ? 'primary' : 'quiet'}
            icon={Icons.Play}
            onClick={() => resumeJob(client, job.id, 'skip')}
          >
            Resume
          </Button>
        )
      )}
      <Button kind={kind} onClick={() => cancelJob(client, job.id)}>
        Cancel
      </Button>
    </>
  )
}

/** The progress of a job as a bar. `legend`: with the count of each part. */
export function JobProgress({ job, legend }: { job: Job; legend: boolean }) {
  const parts = progressParts(job)
  return (
    <div className="job-progress grid min-w-0 gap-3">
      <div
        className="job-bar flex h-3 gap-px overflow-hidden rounded-sm bg-sunken [&>span]:min-w-[2px]"
        role="progressbar"
        aria-label="Finished deliveries"
        aria-valuenow={finishedCount(job)}
        aria-valuemin={0}
        aria-valuemax={job.total}
        aria-valuetext={`${formatCount(finishedCount(job))} of ${formatCount(job.total)}`}
      >
        {parts.map(
          (part) =>
            part.count > 0 && (
              <span key={part.name} style={{ flexGrow: part.count, background: part.color }} />
            ),
        )}
      </div>
      {legend && (
        <dl className="flex flex-wrap gap-1 gap-x-6 text-s" aria-label="Deliveries by result">
          {parts.map(
            (part) =>
              (part.count > 0 || part.name === 'ok' || part.name === 'failed') && (
                <div className="flex gap-3" key={part.name}>
                  <dt className="text-mid">
                    <i style={{ background: part.color }} aria-hidden />
                    {part.word}
                  </dt>
                  <dd className="font-semibold">{formatCount(part.count)}</dd>
                </div>
              ),
          )}
        </dl>
      )}
    </div>
  )
}

const jobStates = {
  running: { tone: 'info', icon: Icons.CirclePlay, word: 'Running' },
  paused: { tone: 'warning', icon: Icons.CirclePause, word: 'Paused' },
  interrupted: { tone: 'warning', icon: Icons.CircleAlert, word: 'Interrupted' },
  cancelled: { tone: 'unsigned', icon: Icons.Ban, word: 'Cancelled' },
  done: { tone: 'valid', icon: Icons.CircleCheck, word: 'Done' },
} as const satisfies Record<Job['state'], object>

/** The state of a job as an icon and a word. */
export function JobState({ job }: { job: Pick<Job, 'state' | 'failed'> }) {
  return job.state === 'done' && job.failed > 0 ? (
    <StateMark tone="invalid" icon={Icons.CircleAlert} word="Done, with failures" />
  ) : (
    <StateMark {...jobStates[job.state]} />
  )
}

/** The subject of a job: "34 selected deliveries", "1,204 deliveries matching a filter". */
export function subjectOf({ total, filter }: Pick<Job, 'total' | 'filter'>): string {
  if (filter === null) return plural(total, 'selected delivery', 'selected deliveries')
  const all = plural(total, 'delivery', 'deliveries')
  return filter.trim() === '' ? `All ${all}` : `${all} matching a filter`
}

/** How many deliveries are finished, with any result. */
export function finishedCount(job: Pick<Job, 'ok' | 'failed' | 'skipped'>): number {
  return job.ok + job.failed + job.skipped
}

/** The label of the expected result of a job. */
export function expectedWord({ sign }: Pick<Job, 'sign'>): string {
  return sign.how === 'broken' ? 'rejected as expected' : 'got a 2xx response'
}

/** A summary of the results, in one sentence. */
export function summaryOf(job: Job): string {
  const { ok, failed, skipped, uncertain, total, waiting, inFlight } = job
  const counts = { failed, skipped, uncertain, 'not sent': waiting + inFlight }
  const others = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `, ${formatCount(count)} ${word}`)
  return `${formatCount(ok)} of ${formatCount(total)} ${expectedWord(job)}${others.join('')}.`
}

/** Why deliveries of a job failed, most frequent reason first: "40 × 503 Service Unavailable, 15 × connection refused". Empty if none failed. */
export function failuresOf({ results, sign }: Pick<Job, 'results' | 'sign'>): string {
  const [from, to] = sign.how === 'broken' ? [400, 499] : [200, 299]
  return results
    .filter(
      ({ status, error }) => error !== null || status === null || status < from || status > to,
    )
    .toSorted((a, b) => b.count - a.count)
    .map((outcome) => `${formatCount(outcome.count)} × ${outcomeWord(outcome).replace(/\.$/, '')}`)
    .join(', ')
}

export function paceLabel(pace: JobPace): string {
  switch (pace.how) {
    case 'one_by_one':
      return pace.stopOnFailure
        ? 'one by one, until one fails'
        : 'one by one, each after the previous response'
    case 'rate':
      return `${formatCount(pace.perSecond)} per second`
    case 'spacing':
      return `original timing${
        pace.speed === 1 ? '' : `, ${formatCount(pace.speed)} times as fast`
      }, gaps up to ${formatDuration(pace.longestGap)}`
    case 'concurrent':
      return `${formatCount(pace.concurrency)} in parallel`
  }
}

export function signatureLabel(
  sign: SignChoice,
  endpointName: (endpointId: number) => string,
): string {
  switch (sign.how) {
    case 'auto':
      return 'as captured, or recomputed if edited'
    case 'keep':
      return 'as captured'
    case 'none':
      return 'removed'
    case 'secret':
      return `recomputed with the ${sign.which} secret of ${
        sign.endpointId === null ? 'each delivery’s endpoint' : endpointName(sign.endpointId)
      }`
    case 'broken':
      return 'deliberately invalid'
  }
}

/** "200 OK", or the first sentence of the error: what to do about it does not fit in a list. */
export function outcomeWord({ status, error }: Job['results'][number]): string {
  if (error !== null && status === null)
    return `${error.split('. ')[0]}${error.includes('. ') ? '.' : ''}`
  return status === null ? 'no response' : `${status} ${statusWord(status)}`
}

/** The parts of the progress bar, in order. */
function progressParts(job: Job) {
  return [
    { name: 'ok', word: expectedWord(job), color: 'var(--valid)', count: job.ok },
    { name: 'failed', word: 'failed', color: 'var(--invalid)', count: job.failed },
    { name: 'skipped', word: 'skipped', color: 'var(--chart-quiet)', count: job.skipped },
    { name: 'uncertain', word: 'uncertain', color: 'var(--warning)', count: job.uncertain },
    { name: 'inFlight', word: 'in progress', color: 'var(--info)', count: job.inFlight },
    { name: 'waiting', word: 'waiting', color: 'var(--sunken)', count: job.waiting },
  ]
}

/** Pauses a job. Requests in progress are completed. */
export function pauseJob(client: Client, id: number): void {
  client.call('jobs.pause', { id }).then(setJob, toastError)
}

/** Resumes a job. `uncertain`: whether to skip or re-send deliveries with an unknown result. */
export function resumeJob(client: Client, id: number, uncertain: 'skip' | 'send'): void {
  client.call('jobs.resume', { id, uncertain }).then(setJob, toastError)
}

/** Cancels a job. Nothing more is sent. */
export function cancelJob(client: Client, id: number): void {
  client.call('jobs.cancel', { id }).then(setJob, toastError)
}

/** Starts a job that re-sends the failed deliveries of a finished job with the same options, and opens its page. */
export async function resendFailed(client: Client, id: number): Promise<void> {
  const job = await withConfirmation(client, () => client.call('jobs.resendFailed', { id }))
  if (job === null) return
  setJob(job)
  location.assign(jobAddress(job.id))
}
