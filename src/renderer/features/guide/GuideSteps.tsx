import { Check, ChevronDown, ChevronUp, Compass, Play, Plus, KeyRound } from '../../ui/icons.tsx'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { GuideAt } from '#contract/models.ts'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { openGuide, finishGuide, goToStep, skipGuide, beginGuide } from './commands.ts'
import { AuthorizeStep, DeliveryStep, TunnelStep } from './steps/steps.tsx'
import { isFailing } from './use-first-delivery.ts'
import { type GuideState, useGuideState } from './use-guide-state.ts'
import { type StepName, paths, stepOf, steps, type GuidePath } from './paths.ts'
import { modKey } from '../../platform/keys.ts'
import { useSandbox, useStartSandbox } from '../../state/sandbox.ts'
import {
  StepFrame,
  type StepState,
  CopyWebhookUrl,
  useListenerProblem,
} from './steps/StepFrame.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { truncate } from '../../ui/text/visible.ts'
import { setupAddress } from '../../routes/authorization.ts'
import { rehearseAddress } from '../../routes/rehearse.ts'
import { NewIntegration } from '../authorization/index.ts'
import { selectIntegration } from '../../state/authorization.ts'
import { EndpointForm, SecretDialog } from '../endpoints/index.ts'
import { useSettings } from '../../state/settings.ts'
import './Guide.css'

/** In a smaller window, the expanded guide would take too much of the page. */
const roomyWindow = '(min-width: 1101px) and (min-height: 761px)'

function useIsRoomy(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(roomyWindow).matches)
}

function subscribe(changed: () => void): () => void {
  const query = matchMedia(roomyWindow)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** The steps of the guide: the current step, its state, and navigation. In a small window it is one line until it is expanded. */
export function GuideSteps({ at, path }: { readonly at: GuideAt; readonly path: GuidePath }) {
  const client = useClient()
  const guide = useGuideState(path, at)
  const roomy = useIsRoomy()
  /** Set by the user; null: depends on the size of the window. */
  const [userCollapsed, setUserCollapsed] = useState<boolean | null>(null)
  const collapsed = userCollapsed ?? !roomy
  const nextButton = useRef<HTMLButtonElement>(null)
  const all = paths[path].steps
  const name = stepOf(path, at.step)
  const last = at.step >= all.length - 1
  const done = name !== null && guide.done[name]
  /** A delivery with a failing signature should be opened before the user continues. */
  const nextIsPrimary =
    done && !(name === 'delivery' && guide.firstDelivery && isFailing(guide.firstDelivery))
  const go = (step: number): void => goToStep(client, at, step)
  return (
    <div className="guide-walk" data-folded={collapsed || undefined}>
      <Compass aria-hidden className="guide-icon" />
      <StepList path={path} current={at.step} done={guide.done} onSelect={go} />
      {name === null ? (
        <End />
      ) : (
        <Grid columns="1 auto" align="center" gap={1} gapX={5} className="guide-step">
          <span className="guide-count">
            Step {at.step + 1} of {all.length}
          </span>
          <StepBody name={name} path={path} guide={guide} />
        </Grid>
      )}
      {/* Pressing "Next" replaces the step. A screen reader announces the new step once, and then changes of its state. */}
      <span className="visually-hidden" role="status">
        {name === null
          ? 'End of the guide'
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
          <Button
            ref={nextButton}
            kind={nextIsPrimary ? 'primary' : 'plain'}
            onClick={() => go(at.step + 1)}
          >
            {last ? 'Finish' : 'Next'}
          </Button>
        )}
      </Row>
      <Row as="span" align="center" justify="end" gap={3} className="guide-tools">
        <IconButton
          label={collapsed ? 'Expand the guide' : 'Collapse the guide'}
          aria-expanded={!collapsed}
          onClick={() => setUserCollapsed(!collapsed)}
        >
          {collapsed ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
        </IconButton>
        {name !== null && (
          <Button kind="quiet" onClick={() => skipGuide(client)}>
            Skip the guide
          </Button>
        )}
      </Row>
      {done && <RestoreFocus key={at.step} to={nextButton} />}
    </div>
  )
}

/** Moves the focus if the button that had it was removed with its step. Checks once for each key. */
export function RestoreFocus({ to }: { readonly to: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    if (document.activeElement === document.body) to.current?.focus({ preventScroll: true })
  }, [to])
  return null
}

interface BodyProps {
  readonly name: StepName
  readonly path: GuidePath
  readonly guide: GuideState
}

function StepBody({ name, path, guide }: BodyProps): ReactNode {
  switch (name) {
    case 'service':
      return <ServiceStep />
    case 'integration':
      return <IntegrationStep guide={guide} />
    case 'endpoint':
      return <EndpointStep guide={guide} />
    case 'authorize':
      return <AuthorizeStep guide={guide} path={path} />
    case 'delivery':
      return <DeliveryStep guide={guide} path={path} />
    case 'tunnel':
      return <TunnelStep guide={guide} path={path} />
  }
}

function End() {
  return (
    <Grid columns="1 auto" align="center" gap={1} gapX={5} className="guide-step">
      <Text as="p" grow shrink tone="mid" className="guide-words">
        <b>You’re all set.</b>{' '}
        <span>
          <kbd>{modKey}</kbd> <kbd>K</kbd> finds every command and delivery, <kbd>?</kbd> shows all
          keys. You can also find the guide there and open it again. Next, you can{' '}
          <a href={rehearseAddress(null, null)}>rehearse your handler</a> with test cases.
        </span>
      </Text>
    </Grid>
  )
}

interface StepListProps {
  readonly path: GuidePath
  readonly current: number
  /** Whether each step is really done. Visiting a step does not complete it. */
  readonly done: Readonly<Record<StepName, boolean>>
  readonly onSelect: (step: number) => void
}

function StepList({ path, current, done, onSelect }: StepListProps) {
  return (
    <Row
      as="ol"
      wrap
      gap={1}
      gapX={2}
      className="guide-steps"
      aria-label={`Steps: ${paths[path].label}`}
    >
      {paths[path].steps.map((name, index) => (
        <Row as="li" align="center" gap={2} key={name}>
          <Button
            kind="quiet"
            small
            className="guide-dot"
            aria-current={index === current ? 'step' : undefined}
            data-done={done[name] || undefined}
            onClick={() => onSelect(index)}
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
              {done[name] ? <Check strokeWidth={3} /> : index + 1}
            </Stack>
            {steps[name].label}
            {done[name] && <span className="visually-hidden">, done</span>}
          </Button>
        </Row>
      ))}
    </Row>
  )
}

function ServiceStep() {
  const service = useSandbox((state) => state.service)
  const start = useStartSandbox()
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
    : start.message === null
      ? { kind: 'to-do', words: 'Not running.' }
      : { kind: 'problem', words: start.message }
  return (
    <StepFrame
      title="Start the sandbox"
      purpose="Runs an authorization page, a token endpoint and a sample resource on this machine, so that you can authorize without an account."
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

function IntegrationStep({ guide }: { readonly guide: GuideState }) {
  const [creating, setCreating] = useState(false)
  const { integration, obstacles, done } = guide
  const name = integration && <Shown text={truncate(integration.name, 60)} />
  const state: StepState =
    integration === undefined
      ? { kind: 'to-do', words: 'You have not added an integration yet.' }
      : done.integration
        ? { kind: 'done', words: <>{name} is ready for authorization.</> }
        : {
            kind: 'to-do',
            words: (
              <>
                {name}: <Shown text={obstacles[0] ?? 'checking…'} />
              </>
            ),
          }
  return (
    <StepFrame
      title="Add your integration"
      purpose="Enter the base URL, access ID, access secret and redirect URL exactly as they are on the service’s integrations dashboard."
      state={state}
    >
      {integration === undefined ? (
        <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setCreating(true)}>
          Add integration
        </Button>
      ) : (
        <a
          className="button"
          data-kind={done.integration ? 'plain' : 'primary'}
          href={setupAddress}
          onClick={() => selectIntegration(integration.id)}
        >
          Open setup
        </a>
      )}
      {creating && <NewIntegration onClose={() => setCreating(false)} />}
    </StepFrame>
  )
}

function EndpointStep({ guide }: { readonly guide: GuideState }) {
  const [dialog, setDialog] = useState<'new' | 'secret' | null>(null)
  const problem = useListenerProblem()
  const { integration, endpoint, done } = guide
  return (
    <StepFrame
      title="Register a webhook URL and its secret"
      purpose="Enter this URL and the secret on the dashboard. Tabscope uses the secret to verify each delivery. To receive deliveries from the internet, use the tunnel’s URL, two steps later."
      state={problem?.state ?? stateOf(guide)}
    >
      {problem?.fix}
      {endpoint === undefined ? (
        <Button
          kind="primary"
          icon={<Plus aria-hidden />}
          disabled={integration === undefined}
          onClick={() => {
            if (integration) selectIntegration(integration.id)
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
    return { kind: 'to-do', words: 'Add your integration first: go back one step.' }
  }
  if (endpoint === undefined) {
    return {
      kind: 'to-do',
      words: (
        <>
          <Shown text={truncate(integration.name, 60)} /> has no endpoint yet.
        </>
      ),
    }
  }
  const name = <Shown text={truncate(endpoint.name, 60)} />
  return done.endpoint
    ? { kind: 'done', words: <>{name} has a secret.</> }
    : { kind: 'to-do', words: <>{name} has no secret, so deliveries cannot be verified.</> }
}

/** The guide, on every page while it is open. It has its own space, so that it never covers a control. */
export function Guide() {
  const at = useSettings(({ settings }) => settings?.guideAt ?? null)
  const strip = useRef<HTMLElement>(null)
  if (at === null) return null
  return (
    <section className="guide" aria-label="Guide" ref={strip} tabIndex={-1}>
      {at.path === null ? <PathChoice /> : <GuideSteps at={at} path={at.path} />}
      <RestoreFocus key={`${at.path} ${at.step}`} to={strip} />
    </section>
  )
}

/** Asks for a path, when the guide is opened again or the user returns to its start. */
function PathChoice() {
  const client = useClient()
  return (
    <Row wrap align="center" gap={3} gapX={4} className="guide-line">
      <Compass aria-hidden className="guide-icon" />
      <Text as="p" grow shrink tone="mid" className="guide-words">
        <b>Choose a path.</b>{' '}
        <span>Use the built-in sandbox, or connect your own integration.</span>
      </Text>
      <Row as="span" wrap justify="end" gap={3} className="guide-buttons">
        <Button kind="primary" onClick={() => beginGuide(client, 'sandbox')}>
          Try it with the sandbox
        </Button>
        <Button onClick={() => beginGuide(client, 'own')}>Connect my own integration</Button>
      </Row>
      <Button kind="quiet" onClick={() => skipGuide(client)}>
        Skip the guide
      </Button>
    </Row>
  )
}
