import type { Job } from '#contract/sending.ts'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import { formatCount } from '#shared/text/format.ts'
import { finishedCount, progressParts, jobStateLabels } from './labels.ts'
import { Ban, CircleAlert, CircleCheck, CirclePlay, CirclePause } from '../../ui/icons.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import './Jobs.css'

/** The progress of a job as a bar. `legend`: with the count of each part. */
export function JobProgress({ job, legend }: { readonly job: Job; readonly legend: boolean }) {
  const parts = progressParts(job)
  return (
    <Stack gap={3} shrink className="job-progress">
      <div
        className="job-bar"
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
        <Row as="dl" wrap gap={1} gapX={6} size="s" aria-label="Deliveries by result">
          {parts.map(
            (part) =>
              (part.count > 0 || part.name === 'ok' || part.name === 'failed') && (
                <Row gap={3} key={part.name}>
                  <Text as="dt" tone="mid">
                    <i style={{ background: part.color }} aria-hidden />
                    {part.word}
                  </Text>
                  <Text as="dd" weight="semibold">
                    {formatCount(part.count)}
                  </Text>
                </Row>
              ),
          )}
        </Row>
      )}
    </Stack>
  )
}

/** The state of a job as an icon and a word. */
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
