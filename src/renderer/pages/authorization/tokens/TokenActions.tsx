import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import type { Run } from '#contract/authorization.ts'
import type { RefreshRule } from '#contract/integrations.ts'
import type { TokenState, TokenView } from '#contract/tokens.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { toast } from '#kit/toasts.ts'
import { refreshAddress, runAddress } from '#client/addresses/authorization.ts'
import { useAuthorize } from '../runs/AuthorizePanel.tsx'

interface Props {
  token: TokenView
  rule: RefreshRule
  state: TokenState
  name: string
}

export function TokenActions({ token, rule, state, name }: Props) {
  const client = useClient()
  const [failed, setFailed] = useState<Run | null>(null)
  const authorize = useAuthorize(token.integrationId)
  const refresh = useAction(async () => {
    setFailed(null)
    const run = await client.call('tokens.refresh', { id: token.id })
    if (run.state === 'failed') setFailed(run)
    else toast('valid', 'Refreshed: replaced by a new token.')
  })
  const forget = (): void =>
    confirm({
      title: 'Revoke this token locally?',
      description:
        'Deletes its values and keeps its history. The API documentation has no way to revoke a token, so the service can accept it until it expires.',
      action: 'Revoke locally',
      async run() {
        await client.call('tokens.forget', { id: token.id })
      },
    })
  const remove = (): void =>
    confirm({
      title: `Delete ${name}?`,
      description:
        'Deletes its values and history. Run records are kept. The service is not notified. This cannot be undone.',
      action: 'Delete',
      async run() {
        await client.call('tokens.remove', { id: token.id })
      },
    })
  const unreadable = state === 'forgotten' || state === 'unavailable'
  const refreshable = token.hasRefreshToken && !unreadable
  const needsUser = state === 'revoked' || state === 'unavailable'
  return (
    <>
      <div className="flex flex-wrap items-center gap-4">
        {refreshable && (
          <Button
            icon={Icons.RefreshCw}
            busy={refresh.busy || token.refreshing}
            onClick={() => refresh.start()}
          >
            {token.refreshing ? 'Refreshing' : 'Refresh'}
          </Button>
        )}
        <Button
          icon={Icons.LogIn}
          kind={needsUser ? 'primary' : 'plain'}
          busy={authorize.busy}
          title="Starts a new authorization. The new token replaces this one."
          onClick={() => authorize.start({ label: token.label, replaces: token.id })}
        >
          Authorize again
        </Button>
        {!unreadable && (
          <a className="button" href={`#/authorization/console?token=${token.id}`}>
            <Icons.SquareTerminal />
            Use in a request
          </a>
        )}
        <span className="ml-auto flex gap-2">
          {state !== 'forgotten' && (
            <Button kind="quiet" icon={Icons.Eraser} onClick={forget}>
              Revoke locally
            </Button>
          )}
          <Button kind="quiet" icon={Icons.Trash2} aria-label={`Delete ${name}`} onClick={remove}>
            Delete
          </Button>
        </span>
      </div>
      {refreshable && (
        <p className="text-s text-mid">
          <span className="tag" data-tone="warning">
            assumption
          </span>{' '}
          The API documentation does not show a refresh.{' '}
          {rule.provenAt === null
            ? 'This request has not been tested yet, so tokens are not refreshed automatically.'
            : `This request works. Automatic refresh is ${rule.automatic ? 'on' : 'off'}.`}{' '}
          <a href={refreshAddress}>Show the request</a>
        </p>
      )}
      <ErrorNote error={refresh.error ?? authorize.error} />
      {failed?.failure && <RefreshResult run={failed} />}
    </>
  )
}

/** Whether a refresh worked, with a link to its run. */
export function RefreshResult({ run }: { run: Run }) {
  const { failure } = run
  return (
    <Note
      tone={failure ? 'invalid' : 'info'}
      alert={failure !== null}
      action={
        <a className="button" href={runAddress(run.id)}>
          Show the run
        </a>
      }
    >
      {failure ? (
        <>
          <b>
            <Shown text={failure.message} />
          </b>{' '}
          <Shown text={failure.remedy} />
        </>
      ) : (
        'New token received: the request works.'
      )}
    </Note>
  )
}
