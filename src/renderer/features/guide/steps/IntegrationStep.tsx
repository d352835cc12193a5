import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { setupAddress } from '../../authorization/address.ts'
import { NewIntegration } from '../../authorization/NewIntegration.tsx'
import { chooseIntegration } from '../../authorization/store.ts'
import type { GuideState } from '../use-guide-state.ts'
import { StepFrame, type StepState } from './StepFrame.tsx'

/** What the service calls the user's client application is entered, on the page where it is changed later as well. */
export function IntegrationStep({ standing }: { readonly standing: GuideState }) {
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
