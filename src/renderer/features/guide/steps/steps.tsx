import { Send, LockKeyhole, Cable } from '../../../ui/icons.tsx'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { Button } from '../../../ui/Button.tsx'
import { verdictWord } from '../../../ui/Mark.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { deliveryAddress } from '../../../routes/deliveries.ts'
import { useEndpoints } from '../../../state/endpoints.ts'
import { reportNewSecret } from '#renderer/features/sandbox/index.ts'
import { useTunnel } from '../../../state/tunnel.ts'
import { isFailing } from '../use-first-delivery.ts'
import type { GuideState } from '../use-guide-state.ts'
import type { GuidePath } from '../paths.ts'
import { CopyWebhookUrl, useListenerProblem, StepFrame, type StepState } from './StepFrame.tsx'
import type { Integration } from '#contract/integrations.ts'
import type { Run } from '#contract/authorization.ts'
import { Masked } from '../../../ui/Masked.tsx'
import { setupAddress, tokensAddress } from '../../../routes/authorization.ts'
import { useAuthorize } from '../../authorization/index.ts'
import { selectIntegration, isRunActive, useAuthorization } from '../../../state/authorization.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import type { TunnelView } from '#contract/tunnel.ts'
import { checkTunnel, copyPublic, openTunnel } from '../../tunnel/index.ts'
import { hostOf, publicUrl } from '../../../state/tunnel-labels.ts'

const allTypes = eventTypes.map(({ type }) => type)

interface Props {
  readonly guide: GuideState
  readonly path: GuidePath
}

/** The first delivery: the sandbox sends it, or the guide waits for it. */
export function DeliveryStep({ guide, path }: Props) {
  const client = useClient()
  const { firstDelivery } = guide
  const received = firstDelivery !== null
  const anyEndpoint = useEndpoints(({ endpoints }) => endpoints[0])
  const online = useTunnel(({ view }) => view?.state === 'online')
  const problem = useListenerProblem()
  const endpoint = guide.endpoint ?? anyEndpoint
  const send = useAction(async (endpointId: number) => {
    await reportNewSecret(endpointId, () =>
      client.call('sandbox.send', { endpointId, types: allTypes }),
    )
  })
  return (
    <StepFrame
      title={path === 'sandbox' ? 'Receive a first delivery' : 'Wait for a first delivery'}
      purpose={
        path === 'sandbox'
          ? `The sandbox sends one delivery for each of the ${allTypes.length} event types. Each appears as a row with its verdict.`
          : `On the service’s integrations dashboard, enter the webhook URL and the same secret, and select the events you need. A delivery arrives when such an event occurs${online ? '.' : ', if the service can reach this machine.'}`
      }
      state={deliveryState({
        problem: problem?.state,
        first: firstDelivery,
        error: send.message,
        path,
      })}
    >
      {problem?.fix}
      {path === 'sandbox' && !received && endpoint !== undefined && (
        <Button
          kind="primary"
          icon={<Send aria-hidden />}
          busy={send.busy}
          onClick={() => send.start(endpoint.id)}
        >
          Send samples
        </Button>
      )}
      {path === 'sandbox' && endpoint === undefined && (
        <a className="button" data-kind="primary" href="#/endpoints">
          Create an endpoint
        </a>
      )}
      {path === 'own' && !received && guide.endpoint !== undefined && (
        <CopyWebhookUrl endpoint={guide.endpoint} />
      )}
      {path === 'own' && !received && !online && (
        <a className="button" data-kind="plain" href="#/tunnel">
          Open the tunnel page
        </a>
      )}
      {firstDelivery !== null && (
        <Button
          kind={isFailing(firstDelivery) ? 'primary' : 'plain'}
          onClick={() => location.assign(deliveryAddress(firstDelivery.id, null, ''))}
        >
          Open the delivery
        </Button>
      )}
    </StepFrame>
  )
}

interface StepFacts {
  readonly problem: StepState | undefined
  readonly first: DeliverySummary | null
  readonly error: string | null
  readonly path: GuidePath
}

function deliveryState({ problem, first, error, path }: StepFacts): StepState {
  if (first !== null) {
    return {
      kind: isFailing(first) ? 'problem' : 'done',
      words: <FirstDelivery delivery={first} />,
    }
  }
  if (problem) return problem
  if (error !== null) return { kind: 'problem', words: error }
  return path === 'sandbox'
    ? { kind: 'to-do', words: 'No delivery received yet.' }
    : { kind: 'in-progress', words: 'Waiting for a delivery. It appears here when it arrives.' }
}

function FirstDelivery({ delivery }: { readonly delivery: DeliverySummary }) {
  const { type, verdict } = delivery
  return (
    <>
      {type === null ? 'Delivery without a type' : <Shown text={truncate(type, 60)} />} received.
      Signature: {verdictWord(verdict)}.
      {isFailing(delivery) &&
        ' Open it: the Signature tab shows the cause. The guide also checks the next delivery.'}
    </>
  )
}

/** Authorizes a user with the same call as the authorization page. */
export function AuthorizeStep({ guide, path }: Props) {
  const { integration } = guide
  const purpose =
    path === 'sandbox'
      ? 'One of the sandbox’s two users approves on its page, and the returned code is exchanged for a token: the complete authorization code flow.'
      : 'A user approves on the service’s page, and the returned code is exchanged for a token to act on their behalf.'
  return integration === undefined ? (
    <StepFrame
      title="Authorize a user"
      purpose={purpose}
      state={{
        kind: 'to-do',
        words: 'Add your integration first: go back one step.',
      }}
    />
  ) : (
    <AuthorizeWith integration={integration} guide={guide} purpose={purpose} />
  )
}

interface AuthorizeWithProps {
  readonly integration: Integration
  readonly guide: GuideState
  readonly purpose: string
}

function AuthorizeWith({ integration, guide, purpose }: AuthorizeWithProps) {
  const { id } = integration
  const authorize = useAuthorize(id)
  const run = useAuthorization(({ runs }) => runs.find(({ integrationId }) => integrationId === id))
  const state = authorizationState(guide, run, authorize.message)
  const active = run !== undefined && isRunActive(run)
  return (
    <StepFrame title="Authorize a user" purpose={purpose} state={state}>
      {guide.obstacles.length > 0 ? (
        <a className="button" data-kind="primary" href={setupAddress}>
          Finish setup
        </a>
      ) : (
        !guide.done.authorize &&
        !active && (
          <Button
            kind="primary"
            icon={<LockKeyhole aria-hidden />}
            busy={authorize.busy}
            onClick={() => {
              selectIntegration(id)
              authorize.start()
            }}
          >
            {state.kind === 'problem' ? 'Authorize again' : 'Authorize a user'}
          </Button>
        )
      )}
      {guide.done.authorize && (
        <a className="button" data-kind="plain" href={tokensAddress}>
          Show the token
        </a>
      )}
    </StepFrame>
  )
}

function authorizationState(
  guide: GuideState,
  run: Run | undefined,
  error: string | null,
): StepState {
  const [obstacle] = guide.obstacles
  if (run !== undefined && isRunActive(run)) {
    return { kind: 'in-progress', words: 'Waiting for the user on the authorization page.' }
  }
  if (guide.done.authorize) return { kind: 'done', words: 'Token received.' }
  if (obstacle !== undefined) return { kind: 'problem', words: <Shown text={obstacle} /> }
  if (error !== null) return { kind: 'problem', words: error }
  if (run?.state === 'failed' && run.failure !== null) {
    return {
      kind: 'problem',
      words: (
        <>
          <Masked text={run.failure.message} /> <Masked text={run.failure.remedy} />
        </>
      ),
    }
  }
  return { kind: 'to-do', words: 'No token yet.' }
}

/** Opens a tunnel, so that the service can reach the listener. */
export function TunnelStep({ guide, path }: Props) {
  const view = useTunnel((state) => state.view)
  return view === null ? null : <TunnelStepFor view={view} guide={guide} path={path} />
}

function TunnelStepFor({ view, guide, path }: Props & { readonly view: TunnelView }) {
  const client = useClient()
  const open = useAction(() => openTunnel(client))
  const retry = useAction(() => checkTunnel(client))
  const state = tunnelState(view)
  return (
    <StepFrame
      title={path === 'sandbox' ? 'Open a tunnel (optional)' : 'Open a tunnel'}
      purpose={
        <>
          Gives your listener a public URL, so that the service can reach it from the internet.{' '}
          <Trust view={view} />
        </>
      }
      state={state}
    >
      {view.state === 'off' && (
        <Button
          kind={path === 'own' ? 'primary' : 'plain'}
          icon={<Cable aria-hidden />}
          busy={open.busy}
          onClick={() => open.start()}
        >
          Open the tunnel
        </Button>
      )}
      {view.state === 'offline' && (
        <Button kind="primary" busy={retry.busy} onClick={() => retry.start()}>
          Retry
        </Button>
      )}
      {view.url !== null && guide.endpoint !== undefined && path === 'own' && (
        <CopyButton
          text={publicUrl(view.url, guide.endpoint.slug)}
          label="Copy public webhook URL"
          words="Copy public webhook URL"
          kind={view.state === 'online' ? 'primary' : 'plain'}
          copy={(text) => copyPublic(client, text)}
        />
      )}
    </StepFrame>
  )
}

/** Names the tunnel server and who can read the traffic. An address in the options means that the user runs the server. */
function Trust({ view }: { readonly view: TunnelView }) {
  const { provider, options } = view.setup
  const { state } = useQuery('tunnel.providers', {})
  const own = 'url' in options || 'host' in options
  const label =
    (state.phase === 'ready' && state.value.find(({ id }) => id === provider)?.label) || provider
  return own ? (
    <>
      Traffic goes through <Shown text={truncate(Object.values(options).join(', '), 120)} />.
    </>
  ) : (
    <>
      Traffic goes through a public server of <Shown text={truncate(label, 60)} />. Its operator can
      read the traffic.
    </>
  )
}

function tunnelState(view: TunnelView): StepState {
  const reason = <Shown text={truncate(view.reason, 300)} />
  switch (view.state) {
    case 'off':
      return { kind: 'to-do', words: 'Closed. Only this machine can reach the listener.' }
    case 'opening':
    case 'reconnecting':
      return { kind: 'in-progress', words: reason }
    case 'online':
      return {
        kind: 'done',
        words: <>Online{view.url !== null && ` at ${hostOf(view.url)}`}.</>,
      }
    case 'degraded':
    case 'offline':
      return { kind: 'problem', words: reason }
  }
}
