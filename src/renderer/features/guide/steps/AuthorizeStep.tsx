import { LockKeyhole } from '../../../ui/icons.tsx'
import type { Integration } from '#contract/integrations.ts'
import type { Run } from '#contract/authorization.ts'
import { Button } from '../../../ui/Button.tsx'
import { Masked } from '../../../ui/Masked.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { setupAddress, tokensAddress } from '../../../routes/authorization.ts'
import { useAuthorize } from '../../authorization/index.ts'
import { selectIntegration, isRunActive, useAuthorization } from '../../../state/authorization.ts'
import type { GuideState } from '../use-guide-state.ts'
import type { GuidePath } from '../paths.ts'
import { StepFrame, type StepState } from './StepFrame.tsx'

interface Props {
  readonly guide: GuideState
  readonly path: GuidePath
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
  const state = stateOf(guide, run, authorize.error)
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

function stateOf(guide: GuideState, run: Run | undefined, error: unknown): StepState {
  const [obstacle] = guide.obstacles
  if (run !== undefined && isRunActive(run)) {
    return { kind: 'in-progress', words: 'Waiting for the user on the authorization page.' }
  }
  if (guide.done.authorize) return { kind: 'done', words: 'Token received.' }
  if (obstacle !== undefined) return { kind: 'problem', words: <Shown text={obstacle} /> }
  if (error !== null) return { kind: 'problem', words: sentence(error) }
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
