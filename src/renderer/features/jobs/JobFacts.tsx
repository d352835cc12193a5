import type { Job } from '#contract/sending.ts'
import { Shown } from '../../components/Shown.tsx'
import { count } from '../../components/text/numbers.ts'
import { fullTime, shortDate, span, utcTime } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { statusTone } from '../../components/text/status.ts'
import { filterAddress } from '../deliveries/address.ts'
import { useEndpoints } from '../endpoints/store.ts'
import { outcomeWord, paceWords, signWords } from './words.ts'

/** How it was asked for, and how often each outcome came. */
export function JobFacts({ job }: { readonly job: Job }) {
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
        <dd>{paceWords(job.pace)}</dd>
        <dt>Signature</dt>
        <dd>
          <Shown text={signWords(job.sign, nameOf)} />
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
