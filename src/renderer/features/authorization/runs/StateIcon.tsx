import {
  Check,
  CircleSlash,
  Hourglass,
  Info,
  LoaderCircle,
  X,
  type Icon,
} from '../../../ui/icons.tsx'
import type { RunStep, RunSummary } from '#contract/authorization.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import type { Tone } from '../tokens/labels.ts'
import { stepOutcomeLabel, runLabel } from './labels.ts'

function iconOf(state: RunSummary['state'], tone: Tone): Icon {
  switch (state) {
    case 'running':
      return LoaderCircle
    case 'waiting':
      return Hourglass
    case 'succeeded':
      return Check
    case 'failed':
      return tone === 'invalid' ? X : CircleSlash
  }
}

const outcomes: Readonly<Record<RunStep['outcome'], Icon>> = {
  ok: Check,
  failed: X,
  waiting: Hourglass,
  note: Info,
}

export function RunStateMark({ run }: { readonly run: Pick<RunSummary, 'state' | 'failure'> }) {
  const { word, tone } = runLabel(run)
  return <StateMark tone={tone} icon={iconOf(run.state, tone)} word={word} />
}

/** The outcome of a step as an icon. The caller shows the word. */
export function OutcomeDisc({ outcome }: { readonly outcome: RunStep['outcome'] }) {
  const { tone } = stepOutcomeLabel(outcome)
  const Icon = outcomes[outcome]
  return (
    <span className="disc" data-tone={tone}>
      <Icon aria-hidden strokeWidth={3} />
    </span>
  )
}
