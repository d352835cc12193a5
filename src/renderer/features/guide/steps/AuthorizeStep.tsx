import { LockKeyhole } from 'lucide-react'
import type { Integration } from '#contract/integrations.ts'
import type { Run } from '#contract/authorization.ts'
import { Button } from '../../../ui/Button.tsx'
import { Masked } from '../../../ui/Masked.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { setupAddress, tokensAddress } from '../../../routes/authorization.ts'
import { useAuthorize } from '../../authorization/index.ts'
import { chooseIntegration, isRunActive, useAuthorization } from '../../../state/authorization.ts'
import type { GuideState } from '../use-guide-state.ts'
import type { GuidePath } from '../paths.ts'
import { StepFrame, type StepState } from './StepFrame.tsx'

interface Props {
  readonly standing: GuideState
  readonly way: GuidePath
}

/** A user is sent through the authorization code flow, by the same call as on its page. */
export function AuthorizeStep({ standing, way }: Props) {
  const { integration } = standing
  const purpose =
    way === 'sandbox'
      ? 'One of the sandbox’s two users approves on its page, and the returned code is exchanged for a token: the complete authorization code flow.'
      : 'A user approves on the service’s page, and the returned code is exchanged for a token to act on their behalf.'
  return integration === undefined ? (
    <StepFrame
      title="Authorize a user"
      purpose={purpose}
      state={{
        kind: 'to-do',
        words: 'There is no integration to authorize with yet: go back one step.',
      }}
    />
  ) : (
    <Known integration={integration} standing={standing} purpose={purpose} />
  )
}

interface KnownProps {
  readonly integration: Integration
  readonly standing: GuideState
  readonly purpose: string
}

function Known({ integration, standing, purpose }: KnownProps) {
  const { id } = integration
  const authorize = useAuthorize(id)
  const run = useAuthorization(({ runs }) => runs.find(({ integrationId }) => integrationId === id))
  const state = stateOf(standing, run, authorize.error)
  const waits = run !== undefined && isRunActive(run)
  return (
    <StepFrame title="Authorize a user" purpose={purpose} state={state}>
      {standing.hindrances.length > 0 ? (
        <a className="button" data-kind="primary" href={setupAddress}>
          Finish setup
        </a>
      ) : (
        !standing.done.authorize &&
        !waits && (
          <Button
            kind="primary"
            icon={<LockKeyhole aria-hidden />}
            busy={authorize.busy}
            onClick={() => {
              chooseIntegration(id)
              authorize.start()
            }}
          >
            {state.kind === 'trouble' ? 'Authorize again' : 'Authorize a user'}
          </Button>
        )
      )}
      {standing.done.authorize && (
        <a className="button" data-kind="plain" href={tokensAddress}>
          Show the token
        </a>
      )}
    </StepFrame>
  )
}

function stateOf(standing: GuideState, run: Run | undefined, error: unknown): StepState {
  const [hindrance] = standing.hindrances
  if (run !== undefined && isRunActive(run)) {
    return { kind: 'under-way', words: 'Waiting for the user on the authorization page.' }
  }
  if (standing.done.authorize) return { kind: 'done', words: 'A token is held.' }
  if (hindrance !== undefined) return { kind: 'trouble', words: <Shown text={hindrance} /> }
  if (error !== null) return { kind: 'trouble', words: sentence(error) }
  if (run?.state === 'failed' && run.failure !== null) {
    return {
      kind: 'trouble',
      words: (
        <>
          <Masked text={run.failure.message} /> <Masked text={run.failure.remedy} />
        </>
      ),
    }
  }
  return { kind: 'to-do', words: 'No token yet.' }
}
