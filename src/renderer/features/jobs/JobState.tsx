import { Ban, CircleAlert, CircleCheck, CirclePlay, CirclePause } from 'lucide-react'
import type { Job } from '#contract/sending.ts'
import { StateMark } from '../../components/StateMark.tsx'
import { jobStateLabels } from './labels.ts'

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
