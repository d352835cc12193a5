import { CircleHelp, Pause, Play, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Job } from '#contract/sending.ts'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown } from '../../components/Shown.tsx'
import { count, counted } from '../../components/text/numbers.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { jobAddress } from './address.ts'
import { cancelJob, pauseJob, resendFailed, resumeJob } from './commands.ts'
import { JobItems } from './JobItems.tsx'
import { JobProgress } from './JobProgress.tsx'
import { JobState } from './JobState.tsx'
import { forgetJob, isOpen } from './store.ts'
import { outcomeWord, paceLabel, signatureLabel, subjectOf, summaryOf } from './labels.ts'
import { fullTime, shortDate, span, utcTime } from '../../components/text/time.ts'
import { statusTone } from '../../components/text/status.ts'
import { filterAddress } from '../deliveries/address.ts'
import { useEndpoints } from '../endpoints/store.ts'

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

/** What Tabscope cannot know after a crash, and the two things to do about it. */
function Uncertain({ job }: { readonly job: Job }) {
  const client = useClient()
  const many = job.uncertain
  const them = many === 1 ? 'it' : 'them'
  return (
    <section className="uncertain" aria-labelledby="uncertain">
      <CircleHelp aria-hidden />
      <div>
        <h3 id="uncertain">
          {counted(many, 'delivery', 'deliveries')} may have arrived, or may not
        </h3>
        <p>
          Tabscope ended while {many === 1 ? 'it was' : 'they were'} under way, so nobody here
          knows. Sent again, {many === 1 ? 'it may' : 'they may'} arrive twice; left out,{' '}
          {many === 1 ? 'it may' : 'they may'} never have arrived. Then the rest goes on
          {job.waiting > 0 && `: ${count(job.waiting)} of them`}.
        </p>
        <div className="uncertain-choice">
          <Button kind="primary" onClick={() => resumeJob(client, job.id, 'skip')}>
            Leave {them} out
          </Button>
          <Button onClick={() => resumeJob(client, job.id, 'send')}>Send {them} again</Button>
        </div>
      </div>
    </section>
  )
}

/** How it was asked for, and how often each outcome came. */
function JobFacts({ job }: { readonly job: Job }) {
  const endpoints = useEndpoints((state) => state.endpoints)
  const nameOf = (id: number): string =>
    endpoints.find((endpoint) => endpoint.id === id)?.name ?? 'an endpoint that is gone'
  return (
    <div className="job-facts">
      <dl className="plain-card job-about">
        <dt>Begun</dt>
        <dd>
          <time dateTime={utcTime(job.createdAt)} title={fullTime(job.createdAt)}>
            {shortDate(job.createdAt)}
          </time>
          {job.endedAt !== null && (
            <span className="dim">, ended after {span(job.endedAt - job.createdAt)}</span>
          )}
        </dd>
        {job.filter !== null && (
          <>
            <dt>Filter</dt>
            <dd>
              <a className="mono" href={filterAddress(job.filter)}>
                {job.filter.trim() === '' ? (
                  'all deliveries'
                ) : (
                  <Shown text={cut(job.filter, 400)} />
                )}
              </a>
            </dd>
          </>
        )}
        <dt>To</dt>
        <dd>
          {job.url === null ? (
            'each to where it would go by itself'
          ) : (
            <span className="mono selectable">
              <Shown text={cut(job.url, 1000)} />
            </span>
          )}
        </dd>
        <dt>Pace</dt>
        <dd>{paceLabel(job.pace)}</dd>
        <dt>Signature</dt>
        <dd>
          <Shown text={signatureLabel(job.sign, nameOf)} />
          {job.edited && <span className="tag">edited</span>}
        </dd>
      </dl>
      <Outcomes outcomes={job.outcomes} />
    </div>
  )
}

/** How often each status came, or each error. */
function Outcomes({ outcomes }: Pick<Job, 'outcomes'>) {
  if (outcomes.length === 0) return null
  const most = Math.max(...outcomes.map((outcome) => outcome.count))
  return (
    <table className="plain-card job-outcomes" aria-label="Outcomes">
      <tbody>
        {[...outcomes]
          .sort((one, other) => other.count - one.count)
          .map((outcome) => (
            <tr
              key={`${outcome.status} ${outcome.error}`}
              data-tone={outcome.status === null ? 'invalid' : statusTone(outcome.status)}
            >
              <th scope="row">
                <Shown text={cut(outcomeWord(outcome), 200)} />
              </th>
              <td className="job-outcome-bar" aria-hidden>
                <span style={{ width: `${(100 * outcome.count) / most}%` }} />
              </td>
              <td>{count(outcome.count)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
