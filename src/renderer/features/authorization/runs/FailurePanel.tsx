import { CircleSlash, X } from 'lucide-react'
import type { Run, RunFailure } from '#contract/authorization.ts'
import { Button } from '../../../components/Button.tsx'
import { Masked } from '../../../components/Masked.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useEditable } from '../../deliveries/scope/scope.ts'
import { addressOf, refreshAddress, setupAddress } from '../address.ts'
import { useAuthorize } from './use-authorize.ts'
import { remediesFor, runLabel } from './labels.ts'
import type { Remedy } from './labels.ts'

interface Props {
  readonly run: Run
  readonly failure: RunFailure
}

/** Why a run failed: what happened, what it most likely means, what to do, and the button for it. */
export function FailurePanel({ run, failure }: Props) {
  const client = useClient()
  const editable = useEditable()
  const { tone } = runLabel(run)
  const keep = useAction(async () => {
    const { tokenId } = await client.call('authorization.keepToken', { runId: run.id })
    location.assign(addressOf({ name: 'tokens', tokenId }))
  })
  return (
    <section className="failure" data-tone={tone} aria-label="Why it failed">
      {tone === 'invalid' ? <X aria-hidden /> : <CircleSlash aria-hidden />}
      <div>
        <p className="failure-what">
          <strong>
            <Masked text={failure.message} />
          </strong>
          <code className="mono">{failure.code}</code>
        </p>
        <dl>
          <div>
            <dt>Most likely</dt>
            <dd>
              <Masked text={failure.meaning} />
            </dd>
          </div>
          <div>
            <dt>What to do</dt>
            <dd>
              <Masked text={failure.remedy} />
            </dd>
          </div>
        </dl>
        {editable && (
          <div className="line-actions">
            {remediesFor(failure.code).map((remedy, place) => (
              <RemedyButton key={remedy} remedy={remedy} run={run} first={place === 0} />
            ))}
            {run.hasRefusedToken && (
              <Button busy={keep.busy} onClick={() => keep.start()}>
                Keep the token all the same
              </Button>
            )}
          </div>
        )}
        {keep.error !== null && (
          <p className="field-error" role="alert">
            {sentence(keep.error)}
          </p>
        )}
      </div>
    </section>
  )
}

interface RemedyProps {
  readonly remedy: Remedy
  readonly run: Run
  readonly first: boolean
}

function RemedyButton({ remedy, run, first }: RemedyProps) {
  const authorize = useAuthorize(run.integrationId)
  const kind = first ? 'primary' : 'plain'
  switch (remedy) {
    case 'authorize':
      return (
        <>
          <Button
            kind={kind}
            busy={authorize.busy}
            onClick={() =>
              authorize.start({
                ...(run.agent ? { agent: run.agent } : {}),
                ...(run.kind === 'refresh' && run.tokenId !== null
                  ? { replaces: run.tokenId }
                  : {}),
              })
            }
          >
            Authorize again
          </Button>
          {authorize.error !== null && (
            <span className="field-error" role="alert">
              {sentence(authorize.error)}
            </span>
          )}
        </>
      )
    case 'setup':
      return <RemedyLink kind={kind} to={setupAddress} words="Open the setup" />
    case 'refresh':
      return <RemedyLink kind={kind} to={refreshAddress} words="Change the request" />
    case 'sandbox':
      return <RemedyLink kind={kind} to="#/sandbox" words="Open the sandbox" />
  }
}

function RemedyLink(props: { readonly kind: string; readonly to: string; words: string }) {
  return (
    <a className="button" data-kind={props.kind} href={props.to}>
      {props.words}
    </a>
  )
}
