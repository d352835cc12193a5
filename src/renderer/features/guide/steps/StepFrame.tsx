import { CircleAlert, CircleDashed, Check, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'

/** How the thing itself stands: not whether the user was here. */
export interface StepState {
  readonly kind: 'to-do' | 'under-way' | 'done' | 'trouble'
  readonly words: ReactNode
}

const looks = {
  'to-do': { tone: 'unsigned', icon: CircleDashed },
  'under-way': { tone: 'info', icon: LoaderCircle },
  done: { tone: 'valid', icon: Check },
  trouble: { tone: 'invalid', icon: CircleAlert },
} as const

interface Props {
  readonly title: string
  /** What it is for, in one sentence. */
  readonly purpose: ReactNode
  readonly state: StepState
  /** The buttons of the real thing. */
  readonly children?: ReactNode
}

/** One step: its name, what it is for, how it stands, and what can be done. */
export function StepFrame({ title, purpose, state, children }: Props) {
  const { tone, icon: Icon } = looks[state.kind]
  return (
    <>
      <p className="guide-words">
        <b>{title}</b> <span>{purpose}</span>
      </p>
      <p className="guide-state" data-tone={tone} data-kind={state.kind} data-testid="guide-state">
        <Icon aria-hidden />
        <span aria-live="polite">{state.words}</span>
      </p>
      <span className="guide-buttons">{children}</span>
    </>
  )
}
