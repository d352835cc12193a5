import { Check, ChevronDown, ChevronUp, Compass } from 'lucide-react'
import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import type { GuideAt } from '#contract/models.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { openGuide, finishGuide, goToStep, skipGuide } from './commands.ts'
import { Landing } from './Landing.tsx'
import { AuthorizeStep } from './steps/AuthorizeStep.tsx'
import { DeliveryStep } from './steps/DeliveryStep.tsx'
import { EndpointStep } from './steps/EndpointStep.tsx'
import { IntegrationStep } from './steps/IntegrationStep.tsx'
import { ServiceStep } from './steps/ServiceStep.tsx'
import { TunnelStep } from './steps/TunnelStep.tsx'
import { isFailing } from './use-first.ts'
import { type GuideState, useGuideState } from './use-guide-state.ts'
import { type StepName, stepOf, steps, type GuidePath, ways } from './paths.ts'
import { modKey } from '../shell/keys.ts'

/** Under this the strip would take too much of the page. */
const enough = '(min-width: 1101px) and (min-height: 761px)'

/** Whether the window has room for the whole strip. */
function useRoom(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(enough).matches)
}

function subscribe(changed: () => void): () => void {
  const query = matchMedia(enough)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

interface Props {
  readonly at: GuideAt
  readonly way: GuidePath
}

/** The strip: where one is, what is to be done now, and the way on. In a small window it is one line until it is unfolded. */
export function Walk({ at, way }: Props) {
  const client = useClient()
  const standing = useGuideState(way, at)
  const room = useRoom()
  /** What the user said; null: as the window has room. */
  const [asked, setAsked] = useState<boolean | null>(null)
  const folded = asked ?? !room
  const onward = useRef<HTMLButtonElement>(null)
  const all = ways[way].steps
  const name = stepOf(way, at.step)
  const last = at.step >= all.length - 1
  const done = name !== null && standing.done[name]
  /** What came is to be looked at before one goes on. */
  const onwards = done && !(name === 'delivery' && standing.first && isFailing(standing.first))
  const go = (step: number): void => goToStep(client, at, step)
  return (
    <div className="guide-walk" data-folded={folded || undefined}>
      <Compass aria-hidden className="guide-icon" />
      <StepRow way={way} now={at.step} done={standing.done} onStep={go} />
      {name === null ? (
        <End />
      ) : (
        <div className="guide-step">
          <span className="guide-count">
            Step {at.step + 1} of {all.length}
          </span>
          <StepBody name={name} way={way} standing={standing} />
        </div>
      )}
      {/* The step changes under whoever pressed "Next": what it is now is read out once, and then how it stands when that changes. */}
      <span className="visually-hidden" role="status">
        {name === null
          ? 'The end of the guide'
          : `Step ${at.step + 1} of ${all.length}: ${steps[name].label}`}
      </span>
      <span className="guide-buttons guide-nav">
        <Button
          kind="quiet"
          onClick={() =>
            at.step === 0 ? openGuide(client) : go(Math.min(at.step, all.length) - 1)
          }
        >
          Back
        </Button>
        {name === null ? (
          <Button kind="primary" onClick={() => finishGuide(client)}>
            Close the guide
          </Button>
        ) : (
          <Button ref={onward} kind={onwards ? 'primary' : 'plain'} onClick={() => go(at.step + 1)}>
            {last ? 'Finish' : 'Next'}
          </Button>
        )}
      </span>
      <span className="guide-tools">
        <IconButton
          label={folded ? 'Unfold the guide' : 'Fold the guide'}
          aria-expanded={!folded}
          onClick={() => setAsked(!folded)}
        >
          {folded ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
        </IconButton>
        {name !== null && (
          <Button kind="quiet" onClick={() => skipGuide(client)}>
            Skip the guide
          </Button>
        )}
      </span>
      {done && <Landing key={at.step} on={onward} />}
    </div>
  )
}

interface BodyProps {
  readonly name: StepName
  readonly way: GuidePath
  readonly standing: GuideState
}

function StepBody({ name, way, standing }: BodyProps): ReactNode {
  switch (name) {
    case 'service':
      return <ServiceStep />
    case 'integration':
      return <IntegrationStep standing={standing} />
    case 'endpoint':
      return <EndpointStep standing={standing} />
    case 'authorize':
      return <AuthorizeStep standing={standing} way={way} />
    case 'delivery':
      return <DeliveryStep standing={standing} way={way} />
    case 'tunnel':
      return <TunnelStep standing={standing} way={way} />
  }
}

/** That was it, and where everything else is found. */
function End() {
  return (
    <div className="guide-step">
      <p className="guide-words">
        <b>That was it.</b>{' '}
        <span>
          <kbd>{modKey}</kbd> <kbd>K</kbd> finds every command and delivery, <kbd>?</kbd> shows all
          keys. The guide is found there too, if you want it again.
        </span>
      </p>
    </div>
  )
}

interface StepRowProps {
  readonly way: GuidePath
  readonly now: number
  /** What is so: a tick is never given for having been here. */
  readonly done: Readonly<Record<StepName, boolean>>
  readonly onStep: (step: number) => void
}

/** All steps of the way, each a press away. */
function StepRow({ way, now, done, onStep }: StepRowProps) {
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
