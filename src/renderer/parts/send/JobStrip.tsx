import { Icons } from '#kit/icons.tsx'
import type { Job } from '#contract/sending.ts'
import { StatusLine } from '#kit/Strip.tsx'
import { Button } from '#kit/Button.tsx'
import { formatCount } from '#shared/text/format.ts'
import { useClient } from '#client/use-client.ts'
import { useShell } from '#client/state/app.ts'
import { jobAddress, scenarioAddress } from '#client/addresses/pages.ts'
import {
  cancelJob,
  pauseJob,
  resumeJob,
  finishedCount,
  summaryOf,
  progressParts,
} from './job-labels.ts'
import { dismissJob, isOpen, jobToReport, useJobs } from '#client/state/jobs.ts'
import { StateMark } from '#kit/Mark.tsx'
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
      actions={<Commands job={job} />}
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
  readonly job: Job
  /** Whether the page shows this job, so that its key works and the buttons stand out. */
  readonly main?: boolean
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

function Commands({ job }: { readonly job: Job }) {
  return (
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
  )
}

/** The progress of a job as a bar. `legend`: with the count of each part. */
export function JobProgress({ job, legend }: { readonly job: Job; readonly legend: boolean }) {
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
export function JobState({ job }: { readonly job: Pick<Job, 'state' | 'failed'> }) {
  return job.state === 'done' && job.failed > 0 ? (
    <StateMark tone="invalid" icon={Icons.CircleAlert} word="Done, with failures" />
  ) : (
    <StateMark {...jobStates[job.state]} />
  )
}
