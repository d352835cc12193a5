import { Check } from 'lucide-react'
import { steps, ways, type StepName, type Way } from './ways.ts'

interface Props {
  readonly way: Way
  readonly now: number
  /** What is so: a tick is never given for having been here. */
  readonly done: Readonly<Record<StepName, boolean>>
  readonly onStep: (step: number) => void
}

/** All steps of the way, each a press away. */
export function StepRow({ way, now, done, onStep }: Props) {
  return (
    <ol className="guide-steps" aria-label={`Steps: ${ways[way].label}`}>
      {ways[way].steps.map((name, place) => (
        <li key={name}>
          <button
            type="button"
            className="guide-dot"
            aria-current={place === now ? 'step' : undefined}
            data-done={done[name] || undefined}
            onClick={() => onStep(place)}
          >
            <span className="guide-disc" aria-hidden>
              {done[name] ? <Check strokeWidth={3} /> : place + 1}
            </span>
            {steps[name].label}
            {done[name] && <span className="visually-hidden">, done</span>}
          </button>
        </li>
      ))}
    </ol>
  )
}
