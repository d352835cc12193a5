import { Send } from 'lucide-react'
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
import { withSecret } from '#renderer/features/sandbox/index.ts'
import { useTunnel } from '../../../state/tunnel.ts'
import { isFailing } from '../use-first.ts'
import type { GuideState } from '../use-guide-state.ts'
import type { GuidePath } from '../paths.ts'
import { CopyWebhookUrl, useListenerTrouble, StepFrame, type StepState } from './StepFrame.tsx'

const allTypes = eventTypes.map(({ type }) => type)

interface Props {
  readonly standing: GuideState
  readonly way: GuidePath
}

/** The first delivery: sent by the sandbox, or waited for. */
export function DeliveryStep({ standing, way }: Props) {
  const client = useClient()
  const { first } = standing
  const arrived = first !== null
  const any = useEndpoints(({ endpoints }) => endpoints[0])
  const online = useTunnel(({ view }) => view?.state === 'online')
  const trouble = useListenerTrouble()
  const endpoint = standing.endpoint ?? any
  const send = useAction(async (endpointId: number) => {
    await withSecret(endpointId, () => client.call('sandbox.send', { endpointId, types: allTypes }))
  })
  return (
    <StepFrame
      title={way === 'sandbox' ? 'Receive a first delivery' : 'Wait for a first delivery'}
      purpose={
        way === 'sandbox'
          ? `The sandbox sends one of each of the ${allTypes.length} event types; each comes as a row with its verdict.`
          : `Paste the webhook URL on the service’s integrations dashboard, with the same secret and the events you need. A delivery comes when one of them happens there${online ? '.' : ', if the service can reach this machine.'}`
      }
      state={stateOf({ trouble: trouble?.state, first, error: send.error, way })}
    >
      {trouble?.mend}
      {way === 'sandbox' && !arrived && endpoint !== undefined && (
        <Button
          kind="primary"
          icon={<Send aria-hidden />}
          busy={send.busy}
          onClick={() => send.start(endpoint.id)}
        >
          Send samples
        </Button>
      )}
      {way === 'sandbox' && endpoint === undefined && (
        <a className="button" data-kind="primary" href="#/endpoints">
          Make an endpoint
        </a>
      )}
      {way === 'own' && !arrived && standing.endpoint !== undefined && (
        <CopyWebhookUrl endpoint={standing.endpoint} />
      )}
      {way === 'own' && !arrived && !online && (
        <a className="button" data-kind="plain" href="#/tunnel">
          Tunnel
        </a>
      )}
      {first !== null && (
        <Button
          kind={isFailing(first) ? 'primary' : 'plain'}
          onClick={() => location.assign(deliveryAddress(first.id, null, ''))}
        >
          Open it
        </Button>
      )}
    </StepFrame>
  )
}

interface Known {
  readonly trouble: StepState | undefined
  readonly first: DeliverySummary | null
  readonly error: unknown
  readonly way: GuidePath
}

function stateOf({ trouble, first, error, way }: Known): StepState {
  if (first !== null) {
    return { kind: isFailing(first) ? 'trouble' : 'done', words: <Arrived delivery={first} /> }
  }
  if (trouble) return trouble
  if (error !== null) return { kind: 'trouble', words: sentence(error) }
  return way === 'sandbox'
    ? { kind: 'to-do', words: 'None came yet.' }
    : { kind: 'under-way', words: 'Waiting for one: it shows here as soon as it comes.' }
}

function Arrived({ delivery }: { readonly delivery: DeliverySummary }) {
  const { type, verdict } = delivery
  return (
    <>
      {type === null ? 'One without a type' : <Shown text={cut(type, 60)} />} arrived. Signature:{' '}
      {verdictWord(verdict)}.
      {isFailing(delivery) &&
        ' Open it: its Signature tab says why. The next one is looked at as well.'}
    </>
  )
}
