import type { Job } from '#contract/sending.ts'
import { Shown } from '../../components/Shown.tsx'
import { count } from '../../components/text/numbers.ts'
import { ago, fullTime, utcTime } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { useNow } from '../../components/use-now.ts'
import { jobAddress } from './address.ts'
import { JobProgress } from './JobProgress.tsx'
import { JobState } from './JobState.tsx'
import { expectedWord, failuresOf, subjectOf } from './words.ts'

interface Props {
  /** Newest first. */
  readonly jobs: readonly Job[]
  readonly chosenId: number | null
}

/** All jobs, each with how far it came. */
export function JobList({ jobs, chosenId }: Props) {
  const now = useNow()
  return (
    <nav className="job-list" aria-label="Jobs" data-scrolls>
      <ul>
        {jobs.map((job) => (
          <li key={job.id}>
            <a
              className="job-row"
              href={jobAddress(job.id)}
              aria-current={job.id === chosenId || undefined}
            >
              <span className="job-row-line">
                <b className="cut">{subjectOf(job)}</b>
                <span className="dim">#{job.id}</span>
              </span>
              <span className="job-row-line">
                <JobState job={job} />
                <time
                  className="dim"
                  dateTime={utcTime(job.createdAt)}
                  title={fullTime(job.createdAt)}
                >
                  {ago(job.createdAt, now)}
                </time>
              </span>
              <JobProgress job={job} legend={false} />
              <span className="dim job-row-sum">
                {count(job.ok)} of {count(job.total)} {expectedWord(job)}
                {job.failed > 0 && `, ${count(job.failed)} failed`}
              </span>
              {failuresOf(job) !== '' && (
                <span className="job-row-failures">
                  <Shown text={cut(failuresOf(job), 200)} />
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
