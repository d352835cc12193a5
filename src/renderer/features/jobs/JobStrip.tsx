import { Pause, Play, RotateCw, X } from 'lucide-react'
import type { Job } from '#contract/sending.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { count } from '../../components/text/numbers.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'
import { jobAddress } from './address.ts'
import { cancelJob, pauseJob, resumeJob } from './commands.ts'
import { JobProgress } from './JobProgress.tsx'
import { dismissJob, isOpen, jobToReport, useJobs } from './store.ts'
import { overOf, jobStateLabels, summaryOf } from './labels.ts'
import './Jobs.css'

/** On every page while deliveries are re-sent, and afterwards until it was seen: how far it is. */
export function JobStrip() {
  const job = useJobs(jobToReport)
  const elsewhere = useShell((state) => state.page !== 'jobs')
  if (job === null || !elsewhere) return null
  return (
    <section className="job-strip" aria-label="Re-sending many">
      <RotateCw aria-hidden />
      <p role="status" className="cut">
        {job.state === 'running' ? (
          <>
            Re-sending <b>{count(overOf(job))}</b> of {count(job.total)}
            {job.failed > 0 && <span data-tone="invalid">, {count(job.failed)} failed</span>}
          </>
        ) : (
          <>
            <b>{jobStateLabels[job.state]}</b>: {summaryOf(job)}
          </>
        )}
      </p>
      <JobProgress job={job} legend={false} />
      <Commands job={job} />
    </section>
  )
}

function Commands({ job }: { readonly job: Job }) {
  const client = useClient()
  return (
    <span className="job-commands">
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
          Go on
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
    </span>
  )
}
