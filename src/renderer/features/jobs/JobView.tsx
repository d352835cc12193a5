import { Pause, Play, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Job } from '#contract/sending.ts'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown } from '../../components/Shown.tsx'
import { count } from '../../components/text/numbers.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { jobAddress } from './address.ts'
import { cancelJob, pauseJob, resendFailed, resumeJob } from './commands.ts'
import { JobFacts } from './JobFacts.tsx'
import { JobItems } from './JobItems.tsx'
import { JobProgress } from './JobProgress.tsx'
import { JobState } from './JobState.tsx'
import { forgetJob, isOpen } from './store.ts'
import { subjectOf, summaryOf } from './words.ts'
import { Uncertain } from './Uncertain.tsx'

/** One job: how far it is, what came of it, and each of its deliveries. Keyed by its id. */
export function JobView({ job }: { readonly job: Job }) {
  return (
    <section className="job" aria-label={`Job ${job.id}`} data-scrolls>
      <header className="job-head">
        <div>
          <h2>{subjectOf(job)}</h2>
          <JobState job={job} />
        </div>
        <Commands job={job} />
      </header>
      <p className="job-summary">{summaryOf(job)}</p>
      <JobProgress job={job} legend />
      {job.reason !== null && (
        <Note tone="missing">
          <Shown text={job.reason} />
        </Note>
      )}
      {job.uncertain > 0 && job.state !== 'running' && isOpen(job) && <Uncertain job={job} />}
      {job.state === 'interrupted' && job.uncertain === 0 && (
        <Note tone="missing">
          Tabscope ended while this ran. None was under way then: it can go on where it was, and
          none is sent twice.
        </Note>
      )}
      <JobFacts job={job} />
      <JobItems job={job} />
    </section>
  )
}

function Commands({ job }: { readonly job: Job }) {
  const client = useClient()
  const [removing, setRemoving] = useState(false)
  const again = useAction(() => resendFailed(client, job.id))
  const remove = useAction(async () => {
    await client.call('jobs.remove', { id: job.id })
    forgetJob(job.id)
    location.assign(jobAddress(null))
  })
  return (
    <div className="job-commands">
      {job.state === 'running' && (
        <Button hint="p" icon={<Pause aria-hidden />} onClick={() => pauseJob(client, job.id)}>
          Pause
        </Button>
      )}
      {isOpen(job) && job.state !== 'running' && job.uncertain === 0 && (
        <Button
          hint="p"
          kind="primary"
          icon={<Play aria-hidden />}
          onClick={() => resumeJob(client, job.id, 'skip')}
        >
          Go on
        </Button>
      )}
      {isOpen(job) && <Button onClick={() => cancelJob(client, job.id)}>Cancel</Button>}
      {!isOpen(job) && job.failed > 0 && (
        <Button
          kind="primary"
          icon={<RotateCw aria-hidden />}
          busy={again.busy}
          title={
            job.url === null ? 'Each to where it went last' : `To ${visible(cut(job.url, 200))}`
          }
          onClick={() => again.start()}
        >
          {job.failed === 1
            ? 'Re-send the one that failed'
            : `Re-send the ${count(job.failed)} that failed`}
        </Button>
      )}
      {again.error !== null && (
        <span className="field-error" role="alert">
          {sentence(again.error)}
        </span>
      )}
      {job.state !== 'running' && (
        <Button kind="quiet" icon={<Trash2 aria-hidden />} onClick={() => setRemoving(true)}>
          Remove
        </Button>
      )}
      <Confirm
        open={removing}
        onClose={() => {
          setRemoving(false)
          remove.reset()
        }}
        title={`Remove job ${job.id}?`}
        description="What came of it is not counted up any more. The attempts stay under their deliveries."
        action="Remove"
        busy={remove.busy}
        error={remove.error === null ? null : sentence(remove.error)}
        onConfirm={() => remove.start()}
      />
    </div>
  )
}
