import { Icons } from '#kit/icons.tsx'
import { useEffect } from 'react'
import { cx } from '#kit/cx.ts'
import { Empty, EmptyFailure } from '#kit/Note.tsx'
import { messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { jobAddress, jobOf } from '#client/addresses/pages.ts'
import {
  pauseJob,
  resumeJob,
  expectedWord,
  failuresOf,
  subjectOf,
  JobProgress,
  JobState,
} from '#parts/send/JobStrip.tsx'
import { JobView } from './JobView.tsx'
import { newestFirst, setJobs, useJobs } from '#client/state/jobs.ts'
import '#parts/send/Jobs.css'
import type { Job } from '#contract/sending.ts'
import { Shown } from '#kit/Shown.tsx'
import { formatCount } from '#shared/text/format.ts'
import { ago } from '#kit/text/time.ts'
import { useNow, Time } from '#kit/Time.tsx'

/** The jobs of this store, and one of them. */
export function JobsPage() {
  const client = useClient()
  const { jobs, listed, failure } = useJobs()
  const requestedId = useShell((state) => jobOf(state.hash))
  useEffect(() => {
    if (listed || failure !== null) return
    client.call('jobs.list', {}).then(
      (all) => setJobs(all, true),
      (error: unknown) => useJobs.setState({ failure: messageOf(error) }),
    )
  }, [client, failure, listed])

  const rows = newestFirst(jobs).filter(({ scenario }) => scenario === null)
  const job =
    rows.find(({ id }) => id === requestedId) ?? (requestedId === null ? rows[0] : undefined)
  const go = (by: number): void => {
    const next = rows[rows.findIndex(({ id }) => id === job?.id) + by]
    if (next) location.assign(jobAddress(next.id))
  }
  useKeys({
    'job-newer': () => go(-1),
    'job-older': () => go(1),
    'job-pause': () => {
      if (job?.state === 'running') pauseJob(client, job.id)
      // With uncertain deliveries, the user must decide with one of the labelled buttons.
      else if (job && job.uncertain === 0) resumeJob(client, job.id, 'skip')
    },
  })

  return (
    <div
      className={cx(
        'grid h-full',
        rows.length > 0 ? 'grid-cols-aside-1' : 'grid-cols-1',
        rows.length > 0 && 'jobs',
      )}
    >
      {rows.length > 0 && <JobList jobs={rows} currentId={job?.id ?? null} />}
      {job ? (
        <JobView key={job.id} job={job} />
      ) : failure !== null ? (
        <EmptyFailure
          title="Jobs could not be loaded"
          onRetry={() => useJobs.setState({ failure: null })}
        >
          {failure}
        </EmptyFailure>
      ) : (
        listed && <NoJob requestedId={requestedId} />
      )}
    </div>
  )
}

function NoJob({ requestedId }: { requestedId: number | null }) {
  return (
    <Empty
      icon={Icons.ListChecks}
      title={requestedId === null ? 'No jobs yet' : `Job ${requestedId} not found`}
      actions={
        <a className="button" data-kind="plain" href="#/deliveries">
          Select deliveries
        </a>
      }
    >
      Select deliveries in the list with <kbd>X</kbd>, or all that match a filter, then re-send them
      together: in order, at the pace you set. Each result is listed here.
    </Empty>
  )
}

interface JobListProps {
  /** Newest first. */
  jobs: readonly Job[]
  currentId: number | null
}

function JobList({ jobs, currentId }: JobListProps) {
  const now = useNow()
  return (
    <nav
      className="min-w-0 overflow-auto border-r border-r-line bg-surface below-760:max-h-(--measure-field) below-760:border-0"
      aria-label="Jobs"
      data-scrolls
    >
      <ul className="lined grid">
        {jobs.map((job) => (
          <li key={job.id}>
            <a
              className="list-row text-s"
              href={jobAddress(job.id)}
              aria-current={job.id === currentId || undefined}
            >
              <span className="flex min-w-0 items-center justify-between gap-4">
                <b className="cut">{subjectOf(job)}</b>
                <span className="text-dim">#{job.id}</span>
              </span>
              <span className="flex min-w-0 items-center justify-between gap-4">
                <JobState job={job} />
                <Time at={job.createdAt} className="text-dim">
                  {ago(job.createdAt, now)}
                </Time>
              </span>
              <JobProgress job={job} legend={false} />
              <span className="text-xs text-dim">
                {formatCount(job.ok)} of {formatCount(job.total)} {expectedWord(job)}
                {job.failed > 0 && `, ${formatCount(job.failed)} failed`}
              </span>
              {failuresOf(job) !== '' && (
                <span className="text-s wrap-anywhere text-invalid">
                  <Shown text={failuresOf(job)} max={200} />
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
