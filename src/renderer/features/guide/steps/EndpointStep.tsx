import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useClient } from '../../../platform/use-client.ts'
import { chooseIntegration } from '../../authorization/store.ts'
import { EndpointForm } from '../../endpoints/EndpointForm.tsx'
import { SecretDialog } from '../../endpoints/SecretDialog.tsx'
import { endpointUrl } from '../../endpoints/store.ts'
import { useShell } from '../../shell/store.ts'
import { copyPublic } from '../../tunnel/commands.ts'
import { useTunnel } from '../../tunnel/store.ts'
import { publicUrl } from '../../tunnel/words.ts'
import type { Standing } from '../use-standing.ts'
import { useListenerTrouble } from './ListenerTrouble.tsx'
import { StepFrame, type StepState } from './StepFrame.tsx'

/** A webhook URL of ours for the integration, and the secret that both sides share. */
export function EndpointStep({ standing }: { readonly standing: Standing }) {
  const client = useClient()
  const [dialog, setDialog] = useState<'new' | 'secret' | null>(null)
  const listener = useShell((state) => state.listener)
  const origin = useTunnel(({ view }) => view?.url ?? null)
  const trouble = useListenerTrouble()
  const { integration, endpoint, done } = standing
  const local = endpoint ? endpointUrl(listener, endpoint) : null
  const url = endpoint && origin !== null ? publicUrl(origin, endpoint.slug) : local
  return (
    <StepFrame
      title="Share a webhook URL and its secret"
      purpose="The dashboard gets this URL, and both sides the same secret: by it each delivery is checked. From the internet it takes the tunnel’s URL, two steps on."
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
          {url !== null && (
            <CopyButton
              text={url}
              label="Copy webhook URL"
              words="Copy webhook URL"
              copy={(text) => (url === local ? copyText(text) : copyPublic(client, text))}
            />
          )}
        </>
      )}
      {dialog === 'new' && <EndpointForm endpoint={null} onClose={() => setDialog(null)} />}
      {dialog === 'secret' && endpoint !== undefined && (
        <SecretDialog endpoint={endpoint} onClose={() => setDialog(null)} />
      )}
    </StepFrame>
  )
}

function stateOf({ integration, endpoint, done }: Standing): StepState {
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
