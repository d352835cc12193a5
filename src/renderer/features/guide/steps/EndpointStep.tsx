import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { chooseIntegration } from '../../authorization/store.ts'
import { EndpointForm } from '../../endpoints/EndpointForm.tsx'
import { SecretDialog } from '../../endpoints/SecretDialog.tsx'
import type { GuideState } from '../use-guide-state.ts'
import { CopyWebhookUrl } from './CopyWebhookUrl.tsx'
import { useListenerTrouble } from './ListenerTrouble.tsx'
import { StepFrame, type StepState } from './StepFrame.tsx'

/** A webhook URL of ours for the integration, and the secret that both sides share. */
export function EndpointStep({ standing }: { readonly standing: GuideState }) {
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
