import { Send } from '../../../ui/icons.tsx'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { Button } from '../../../ui/Button.tsx'
import { verdictWord } from '../../../ui/Mark.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut } from '../../../ui/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { deliveryAddress } from '../../../routes/deliveries.ts'
import { useEndpoints } from '../../../state/endpoints.ts'
import { reportNewSecret } from '#renderer/features/sandbox/index.ts'
import { useTunnel } from '../../../state/tunnel.ts'
import { isFailing } from '../use-first-delivery.ts'
import type { GuideState } from '../use-guide-state.ts'
import type { GuidePath } from '../paths.ts'
import { CopyWebhookUrl, useListenerProblem, StepFrame, type StepState } from './StepFrame.tsx'

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
      state={stateOf({ problem: problem?.state, first: firstDelivery, error: send.error, path })}
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
  readonly error: unknown
  readonly path: GuidePath
}

function stateOf({ problem, first, error, path }: StepFacts): StepState {
  if (first !== null) {
    return {
      kind: isFailing(first) ? 'problem' : 'done',
      words: <FirstDelivery delivery={first} />,
    }
  }
  if (problem) return problem
  if (error !== null) return { kind: 'problem', words: sentence(error) }
  return path === 'sandbox'
    ? { kind: 'to-do', words: 'No delivery received yet.' }
    : { kind: 'in-progress', words: 'Waiting for a delivery. It appears here when it arrives.' }
}

function FirstDelivery({ delivery }: { readonly delivery: DeliverySummary }) {
  const { type, verdict } = delivery
  return (
    <>
      {type === null ? 'Delivery without a type' : <Shown text={cut(type, 60)} />} received.
      Signature: {verdictWord(verdict)}.
      {isFailing(delivery) &&
        ' Open it: the Signature tab shows the cause. The guide also checks the next delivery.'}
    </>
  )
}
