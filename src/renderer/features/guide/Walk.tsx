import { Check, ChevronDown, ChevronUp, Compass, Play, Plus, KeyRound } from 'lucide-react'
import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import type { GuideAt } from '#contract/models.ts'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useClient, useAction } from '../../platform/use-client.ts'
import { openGuide, finishGuide, goToStep, skipGuide } from './commands.ts'
import { Landing } from './Landing.tsx'
import { AuthorizeStep } from './steps/AuthorizeStep.tsx'
import { DeliveryStep } from './steps/DeliveryStep.tsx'
import { TunnelStep } from './steps/TunnelStep.tsx'
import { isFailing } from './use-first.ts'
import { type GuideState, useGuideState } from './use-guide-state.ts'
import { type StepName, stepOf, steps, type GuidePath, ways } from './paths.ts'
import { modKey } from '../../platform/keys.ts'
import { sentence } from '../../platform/call-error.ts'
import { useSandbox } from '../../state/sandbox.ts'
import {
  StepFrame,
  type StepState,
  CopyWebhookUrl,
  useListenerTrouble,
} from './steps/StepFrame.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { cut } from '../../ui/text/visible.ts'
import { setupAddress } from '../../routes/authorization.ts'
import { NewIntegration } from '../authorization/index.ts'
import { chooseIntegration } from '../../state/authorization.ts'
import { EndpointForm, SecretDialog } from '../endpoints/index.ts'

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
        <Grid columns="1 auto" align="center" gap={1} gapX={5} className="guide-step">
          <span className="guide-count">
            Step {at.step + 1} of {all.length}
          </span>
          <StepBody name={name} way={way} standing={standing} />
        </Grid>
      )}
      {/* The step changes under whoever pressed "Next": what it is now is read out once, and then how it stands when that changes. */}
      <span className="visually-hidden" role="status">
        {name === null
          ? 'The end of the guide'
          : `Step ${at.step + 1} of ${all.length}: ${steps[name].label}`}
      </span>
      <Row as="span" justify="end" gap={3} className="guide-nav">
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
      </Row>
      <Row as="span" align="center" justify="end" gap={3} className="guide-tools">
        <IconButton
          label={folded ? 'Expand the guide' : 'Collapse the guide'}
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
      </Row>
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
    <Grid columns="1 auto" align="center" gap={1} gapX={5} className="guide-step">
      <Text as="p" grow shrink tone="mid" className="guide-words">
        <b>You’re all set.</b>{' '}
        <span>
          <kbd>{modKey}</kbd> <kbd>K</kbd> finds every command and delivery, <kbd>?</kbd> shows all
          keys. The guide is found there too, if you want it again.
        </span>
      </Text>
    </Grid>
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
    <Row
      as="ol"
      wrap
      gap={1}
      gapX={2}
      className="guide-steps"
      aria-label={`Steps: ${ways[way].label}`}
    >
      {ways[way].steps.map((name, place) => (
        <Row as="li" align="center" gap={2} key={name}>
          <Button
            kind="quiet"
            small
            className="guide-dot"
            aria-current={place === now ? 'step' : undefined}
            data-done={done[name] || undefined}
            onClick={() => onStep(place)}
          >
            <Stack
              as="span"
              center
              tone="mid"
              size="2xs"
              round="full"
              className="guide-disc"
              aria-hidden
            >
              {done[name] ? <Check strokeWidth={3} /> : place + 1}
            </Stack>
            {steps[name].label}
            {done[name] && <span className="visually-hidden">, done</span>}
          </Button>
        </Row>
      ))}
    </Row>
  )
}

/** The service in miniature is started. */
function ServiceStep() {
  const client = useClient()
  const service = useSandbox((state) => state.service)
  const start = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.start', {}) })
  })
  const running = service?.running === true
  const state: StepState = running
    ? {
        kind: 'done',
        words: (
          <>
            Running at <code className="mono">{service.baseUrl}</code>
          </>
        ),
      }
    : start.error === null
      ? { kind: 'to-do', words: 'Not running.' }
      : { kind: 'trouble', words: sentence(start.error) }
  return (
    <StepFrame
      title="Start the sandbox"
      purpose="An authorization page, a token endpoint and a made-up resource on this machine: something to authorize with, without an account."
      state={state}
    >
      {!running && (
        <Button
          kind="primary"
          icon={<Play aria-hidden />}
          busy={start.busy}
          onClick={() => start.start()}
        >
          Start the sandbox
        </Button>
      )}
    </StepFrame>
  )
}

/** What the service calls the user's client application is entered, on the page where it is changed later as well. */
function IntegrationStep({ standing }: { readonly standing: GuideState }) {
  const [creating, setCreating] = useState(false)
  const { integration, hindrances, done } = standing
  const name = integration && <Shown text={cut(integration.name, 60)} />
  const state: StepState =
    integration === undefined
      ? { kind: 'to-do', words: 'None of your own is entered yet.' }
      : done.integration
        ? { kind: 'done', words: <>{name} is ready to authorize with.</> }
        : {
            kind: 'to-do',
            words: (
              <>
                {name}: <Shown text={hindrances[0] ?? 'being looked at.'} />
              </>
            ),
          }
  return (
    <StepFrame
      title="Enter your integration"
      purpose="Base URL, access ID, access secret and redirect URL, exactly as the service’s integrations dashboard has them."
      state={state}
    >
      {integration === undefined ? (
        <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setCreating(true)}>
          Enter an integration
        </Button>
      ) : (
        <a
          className="button"
          data-kind={done.integration ? 'plain' : 'primary'}
          href={setupAddress}
          onClick={() => chooseIntegration(integration.id)}
        >
          Open its setup
        </a>
      )}
      {creating && <NewIntegration onClose={() => setCreating(false)} />}
    </StepFrame>
  )
}

/** A webhook URL of ours for the integration, and the secret that both sides share. */
function EndpointStep({ standing }: { readonly standing: GuideState }) {
  const [dialog, setDialog] = useState<'new' | 'secret' | null>(null)
  const trouble = useListenerTrouble()
  const { integration, endpoint, done } = standing
  return (
    <StepFrame
      title="Share a webhook URL and its secret"
      purpose="The dashboard gets this URL, and both sides the same secret, which each delivery is checked with. From the internet it takes the tunnel’s URL, two steps on."
      state={trouble?.state ?? stateOf(standing)}
    >
      {trouble?.mend}
      {endpoint === undefined ? (
        <Button
          kind="primary"
          icon={<Plus aria-hidden />}
          disabled={integration === undefined}
          onClick={() => {
            if (integration) chooseIntegration(integration.id)
            setDialog('new')
          }}
        >
          New endpoint
        </Button>
      ) : (
        <>
          {!done.endpoint && (
            <Button
              kind="primary"
              icon={<KeyRound aria-hidden />}
              onClick={() => setDialog('secret')}
            >
              Set the secret
            </Button>
          )}
          <CopyWebhookUrl endpoint={endpoint} />
        </>
      )}
      {dialog === 'new' && <EndpointForm endpoint={null} onClose={() => setDialog(null)} />}
      {dialog === 'secret' && endpoint !== undefined && (
        <SecretDialog endpoint={endpoint} onClose={() => setDialog(null)} />
      )}
    </StepFrame>
  )
}

function stateOf({ integration, endpoint, done }: GuideState): StepState {
  if (integration === undefined) {
    return { kind: 'to-do', words: 'Enter your integration first: go back one step.' }
  }
  if (endpoint === undefined) {
    return {
      kind: 'to-do',
      words: (
        <>
          No endpoint belongs to <Shown text={cut(integration.name, 60)} /> yet.
        </>
      ),
    }
  }
  const name = <Shown text={cut(endpoint.name, 60)} />
  return done.endpoint
    ? { kind: 'done', words: <>{name} has its secret.</> }
    : { kind: 'to-do', words: <>{name} has no secret: what comes would be unsigned.</> }
}
