import { Pause, Play, RotateCw, X } from '../../ui/icons.tsx'
import type { Job } from '#contract/sending.ts'
import { Text } from '../../ui/Layout.tsx'
import { StatusStrip } from '../../ui/StatusStrip.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { formatCount } from '#shared/text/format.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../../state/app.ts'
import { jobAddress } from '../../routes/jobs.ts'
import { cancelJob, pauseJob, resumeJob } from './commands.ts'
import { JobProgress } from './JobProgress.tsx'
import { dismissJob, isOpen, jobToReport, useJobs } from '../../state/jobs.ts'
import { finishedCount, jobStateLabels, summaryOf } from './labels.ts'

/** The progress of a job, on every page while deliveries are re-sent, and afterwards until it is dismissed. */
export function JobStrip() {
  const job = useJobs(jobToReport)
  const onJobsPage = useShell((state) => state.page === 'jobs')
  if (job === null || onJobsPage) return null
  return (
    <StatusStrip
      label="Job progress"
      icon={<RotateCw className="tone-accent" aria-hidden />}
      progress={<JobProgress job={job} legend={false} />}
      actions={<Commands job={job} />}
    >
      <p role="status" className="cut">
        {job.state === 'running' ? (
          <>
            Re-sending <b>{formatCount(finishedCount(job))}</b> of {formatCount(job.total)}
            {job.failed > 0 && (
              <Text tone="invalid" weight="semibold">
                , {formatCount(job.failed)} failed
              </Text>
            )}
          </>
        ) : (
          <>
            <b>{jobStateLabels[job.state]}</b>: {summaryOf(job)}
          </>
        )}
      </p>
    </StatusStrip>
  )
}

function Commands({ job }: { readonly job: Job }) {
  const client = useClient()
  return (
    <>
      {job.state === 'running' && (
        <Button kind="quiet" icon={<Pause aria-hidden />} onClick={() => pauseJob(client, job.id)}>
          Pause
        </Button>
      )}
      {isOpen(job) && job.state !== 'running' && job.uncertain === 0 && (
        <Button
          kind="quiet"
          icon={<Play aria-hidden />}
          onClick={() => resumeJob(client, job.id, 'skip')}
        >
          Resume
        </Button>
      )}
      {isOpen(job) && (
        <Button kind="quiet" onClick={() => cancelJob(client, job.id)}>
          Cancel
        </Button>
      )}
      <a className="button" data-kind="plain" href={jobAddress(job.id)}>
        {job.uncertain > 0 ? 'Decide' : 'Show'}
      </a>
      {!isOpen(job) && (
        <IconButton label="Dismiss" onClick={() => dismissJob(job.id)}>
          <X aria-hidden />
        </IconButton>
      )}
    </>
  )
}
