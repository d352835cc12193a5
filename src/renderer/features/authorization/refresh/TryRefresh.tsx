import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { Run } from '#contract/authorization.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useNow } from '../../../components/use-now.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { runAddress } from '../address.ts'
import { useTokens } from '../store.ts'
import { byUse } from '../tokens/life.ts'

interface Props {
  readonly integrationId: number
  /** Whether it ever brought a token: until then trying it is the next thing to do. */
  readonly proven: boolean
}

/** Tries the request with one of the tokens. */
export function TryRefresh({ integrationId, proven }: Props) {
  const client = useClient()
  const now = useNow()
  const tokens = byUse(useTokens(integrationId), now).filter(
    ({ hasRefreshToken, standing }) =>
      hasRefreshToken && standing !== 'forgotten' && standing !== 'unavailable',
  )
  const [chosen, setChosen] = useState<number | null>(null)
  const [run, setRun] = useState<Run | null>(null)
  const token = tokens.find(({ id }) => id === chosen) ?? tokens[0]
  const attempt = useAction(async (id: number) => {
    setRun(null)
    setRun(await client.call('tokens.refresh', { id }))
  })
  if (!token) {
    return (
      <p className="refresh-try dim">
        There is no token with a refresh token to try it with.{' '}
        <a href={runAddress(null)}>Authorize</a> first.
      </p>
    )
  }
  return (
    <div className="refresh-try">
      <div className="line-actions">
        <Button
          kind={proven ? 'plain' : 'primary'}
          icon={<RefreshCw aria-hidden />}
          busy={attempt.busy || token.refreshing}
          onClick={() => attempt.start(token.id)}
        >
          Try it now
        </Button>
        {tokens.length === 1 ? (
          <span className="mid">
            with <Shown text={nameOf(token)} />
          </span>
        ) : (
          <span className="field refresh-with">
            <select
              aria-label="Token to try it with"
              value={token.id}
              onChange={(event) => setChosen(Number(event.target.value))}
            >
              {tokens.map((one) => (
                <option key={one.id} value={one.id}>
                  {visible(nameOf(one))}
                </option>
              ))}
            </select>
          </span>
        )}
      </div>
      {attempt.error !== null && (
        <Note tone="invalid" alert>
          {sentence(attempt.error)}
        </Note>
      )}
      {run && (
        <Note
          tone={run.failure ? 'invalid' : 'info'}
          alert={run.failure !== null}
          action={
            <a className="button" href={runAddress(run.id)}>
              Show the record
            </a>
          }
        >
          {run.failure ? (
            <>
              <b>
                <Shown text={run.failure.message} />
              </b>{' '}
              <Shown text={run.failure.remedy} />
            </>
          ) : (
            'It brought a new token: the request is proven.'
          )}
        </Note>
      )}
    </div>
  )
}

function nameOf(token: { label: string; ending: string | null; id: number }): string {
  const ending = token.ending === null ? `token ${token.id}` : `…${token.ending}`
  return token.label === '' ? ending : `${cut(token.label, 60)} (${ending})`
}
