import type { Job } from '#contract/sending.ts'
import { count } from '../../components/text/numbers.ts'
import { overOf, sharesOf } from './labels.ts'
import './Jobs.css'

/** How far a job is, to scale. `legend`: with the figures and what they are. */
export function JobProgress({ job, legend }: { readonly job: Job; readonly legend: boolean }) {
  const shares = sharesOf(job)
  return (
    <div className="job-progress">
      <div
        className="job-bar"
        role="progressbar"
        aria-label="Deliveries that are over"
        aria-valuenow={overOf(job)}
        aria-valuemin={0}
        aria-valuemax={job.total}
        aria-valuetext={`${count(overOf(job))} of ${count(job.total)}`}
      >
        {shares.map(
          (share) =>
            share.count > 0 && (
              <span key={share.name} data-share={share.name} style={{ flexGrow: share.count }} />
            ),
        )}
      </div>
      {legend && (
        <dl aria-label="Deliveries by what came of them">
          {shares.map(
            (share) =>
              (share.count > 0 || share.name === 'ok' || share.name === 'failed') && (
                <div key={share.name}>
                  <dt>
                    <i data-share={share.name} aria-hidden />
                    {share.word}
                  </dt>
                  <dd>{count(share.count)}</dd>
                </div>
              ),
          )}
        </dl>
      )}
    </div>
  )
}
