import { ChevronDown, ChevronUp, Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import type { GuideAt } from '#contract/models.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { askForWay, finishGuide, goToStep, skipGuide } from './commands.ts'
import { End } from './End.tsx'
import { Landing } from './Landing.tsx'
import { StepRow } from './StepRow.tsx'
import { AuthorizeStep } from './steps/AuthorizeStep.tsx'
import { DeliveryStep } from './steps/DeliveryStep.tsx'
import { EndpointStep } from './steps/EndpointStep.tsx'
import { IntegrationStep } from './steps/IntegrationStep.tsx'
import { ServiceStep } from './steps/ServiceStep.tsx'
import { TunnelStep } from './steps/TunnelStep.tsx'
import { useRoom } from './use-room.ts'
import { isFailing } from './use-first.ts'
import { useStanding, type Standing } from './use-standing.ts'
import { stepOf, steps, ways, type StepName, type Way } from './ways.ts'

interface Props {
  readonly at: GuideAt
  readonly way: Way
}

/** The strip: where one is, what is to be done now, and the way on. In a small window it is one line until it is unfolded. */
export function Walk({ at, way }: Props) {
  const client = useClient()
  const standing = useStanding(way, at)
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
            at.step === 0 ? askForWay(client) : go(Math.min(at.step, all.length) - 1)
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
  readonly way: Way
  readonly standing: Standing
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
