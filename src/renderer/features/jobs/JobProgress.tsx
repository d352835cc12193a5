import type { Job } from '#contract/sending.ts'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import { count } from '../../ui/text/numbers.ts'
import { overOf, sharesOf, jobStateLabels } from './labels.ts'
import { Ban, CircleAlert, CircleCheck, CirclePlay, CirclePause } from 'lucide-react'
import { StateMark } from '../../ui/StateMark.tsx'
import './Jobs.css'

/** How far a job is, to scale. `legend`: with the figures and what they are. */
export function JobProgress({ job, legend }: { readonly job: Job; readonly legend: boolean }) {
  const shares = sharesOf(job)
  return (
    <Stack gap={3} shrink className="job-progress">
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
              <span key={share.name} style={{ flexGrow: share.count, background: share.color }} />
            ),
        )}
      </div>
      {legend && (
        <Row as="dl" wrap gap={1} gapX={6} size="s" aria-label="Deliveries by result">
          {shares.map(
            (share) =>
              (share.count > 0 || share.name === 'ok' || share.name === 'failed') && (
                <Row gap={3} key={share.name}>
                  <Text as="dt" tone="mid">
                    <i style={{ background: share.color }} aria-hidden />
                    {share.word}
                  </Text>
                  <Text as="dd" weight="semibold">
                    {count(share.count)}
                  </Text>
                </Row>
              ),
          )}
        </Row>
      )}
    </Stack>
  )
}

/** How it stands, as an icon and a word. */
export function JobState({ job }: { readonly job: Pick<Job, 'state' | 'failed'> }) {
  const word = jobStateLabels[job.state]
  switch (job.state) {
    case 'running':
      return <StateMark tone="info" icon={CirclePlay} word={word} />
    case 'paused':
      return <StateMark tone="missing" icon={CirclePause} word={word} />
    case 'interrupted':
      return <StateMark tone="missing" icon={CircleAlert} word={word} />
    case 'cancelled':
      return <StateMark tone="unsigned" icon={Ban} word={word} />
    case 'done':
      return job.failed > 0 ? (
        <StateMark tone="invalid" icon={CircleAlert} word={`${word}, with failures`} />
      ) : (
        <StateMark tone="valid" icon={CircleCheck} word={word} />
      )
  }
}
