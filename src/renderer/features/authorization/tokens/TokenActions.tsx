import { Eraser, LogIn, RefreshCw, SquareTerminal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Run } from '#contract/authorization.ts'
import type { RefreshRule } from '#contract/integrations.ts'
import type { TokenState, TokenView } from '#contract/tokens.ts'
import { Button } from '../../../components/Button.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { say } from '../../shell/toasts.ts'
import { refreshAddress, runAddress } from '../address.ts'
import { useAuthorize } from '../runs/use-authorize.ts'

interface Props {
  readonly token: TokenView
  readonly rule: RefreshRule
  readonly state: TokenState
  readonly name: string
}

/** What can be done with a token. */
export function TokenActions({ token, rule, state, name }: Props) {
  const client = useClient()
  const [asking, setAsking] = useState<'forget' | 'remove' | null>(null)
  const [failed, setFailed] = useState<Run | null>(null)
  const authorize = useAuthorize(token.integrationId)
  const refresh = useAction(async () => {
    setFailed(null)
    const run = await client.call('tokens.refresh', { id: token.id })
    if (run.state === 'failed') setFailed(run)
    else say('valid', 'Refreshed: a new token took its place.')
  })
  const forget = useAction(async () => {
    await client.call('tokens.forget', { id: token.id })
    setAsking(null)
  })
  const remove = useAction(async () => {
    await client.call('tokens.remove', { id: token.id })
    setAsking(null)
  })
  const gone = state === 'forgotten' || state === 'unavailable'
  const refreshable = token.hasRefreshToken && !gone
  const needsUser = state === 'revoked' || state === 'unavailable'

  function close(): void {
    setAsking(null)
    forget.reset()
    remove.reset()
  }

  const error = refresh.error ?? authorize.error
  return (
    <>
      <div className="line-actions">
        {refreshable && (
          <Button
            icon={<RefreshCw aria-hidden />}
            busy={refresh.busy || token.refreshing}
            onClick={() => refresh.start()}
          >
            {token.refreshing ? 'Refreshing' : 'Refresh'}
          </Button>
        )}
        <Button
          icon={<LogIn aria-hidden />}
          kind={needsUser ? 'primary' : 'plain'}
          busy={authorize.busy}
          title="Another run of the flow; its token takes the place of this one."
          onClick={() => authorize.start({ label: token.label, replaces: token.id })}
        >
          Authorize again
        </Button>
        {!gone && (
          <a className="button" href={`#/console?token=${token.id}`}>
            <SquareTerminal aria-hidden />
            Call with it
          </a>
        )}
        <span className="token-end">
          {state !== 'forgotten' && (
            <Button kind="quiet" icon={<Eraser aria-hidden />} onClick={() => setAsking('forget')}>
              Revoke here
            </Button>
          )}
          <Button
            kind="quiet"
            icon={<Trash2 aria-hidden />}
            aria-label={`Delete ${name}`}
            onClick={() => setAsking('remove')}
          >
            Delete
          </Button>
        </span>
      </div>
      {refreshable && <RefreshBasis rule={rule} />}
      {error !== null && (
        <Note tone="invalid" alert>
          {sentence(error)}
        </Note>
      )}
      {failed?.failure && (
        <Note
          tone="invalid"
          alert
          action={
            <a className="button" href={runAddress(failed.id)}>
              Show what happened
            </a>
          }
        >
          <b>
            <Shown text={failed.failure.message} />
          </b>{' '}
          <Shown text={failed.failure.remedy} />
        </Note>
      )}
      <Confirm
        open={asking === 'forget'}
        onClose={close}
        title="Revoke this token here?"
        description="Its values are deleted; its life story stays. The service is not told: its document shows no way to revoke a token, so the service may take it until its end."
        action="Revoke here"
        busy={forget.busy}
        error={forget.error === null ? null : sentence(forget.error)}
        onConfirm={() => forget.start()}
      />
      <Confirm
        open={asking === 'remove'}
        onClose={close}
        title={`Delete ${name}?`}
        description="Its values and its life story go for good. The records of its runs stay. The service is not told."
        action="Delete"
        busy={remove.busy}
        error={remove.error === null ? null : sentence(remove.error)}
        onConfirm={() => remove.start()}
      />
    </>
  )
}

/** What the refresh rests on: an assumption, and whether it held so far. */
function RefreshBasis({ rule }: { readonly rule: RefreshRule }) {
  return (
    <p className="token-basis">
      <span className="tag" data-tone="missing">
        assumption
      </span>{' '}
      The document does not show a refresh.{' '}
      {rule.provenAt === null
        ? 'This request is not proven yet: nothing is refreshed by itself.'
        : rule.automatic
          ? 'It has brought a token here, so tokens are refreshed by themselves.'
          : 'It has brought a token here. Refreshing by itself is switched off.'}{' '}
      <a href={refreshAddress}>The request</a>
    </p>
  )
}
