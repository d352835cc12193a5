import { useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { StoredField } from '../../settings/StoredField.tsx'
import * as checks from '../../settings/checks.ts'
import { Check, CircleDashed, RefreshCw } from 'lucide-react'
import { sentence } from '../../../platform/call-error.ts'
import { StateMark } from '../../../components/StateMark.tsx'
import { ago, fullTime } from '../../../components/text/time.ts'
import { useNow } from '../../../components/use-now.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { TemplateForm } from './TemplateForm.tsx'
import './RefreshView.css'
import type { Run } from '#contract/authorization.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { runAddress } from '../address.ts'
import { useTokens } from '../store.ts'
import { byUse } from '../tokens/lifetime.ts'

/** How tokens are refreshed: a request of the user's, since the document shows none. */
export function RefreshView({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const now = useNow()
  const { id, refresh } = integration
  const [wish, setWish] = useState<boolean | null>(null)
  const automatic = useAction(async (on: boolean) => {
    // At once, until the store says so: a click is seen in the same frame.
    setWish(on)
    try {
      await client.call('integrations.update', { id, refresh: { automatic: on } })
    } finally {
      setWish(null)
    }
  })
  const proven = refresh.provenAt !== null
  return (
    <div className="auth-scroll">
      <div className="auth-page">
        <section className="panel refresh-basis" aria-label="What a refresh rests on">
          <div>
            <h2 className="panel-title">
              Not in the service’s document: this is an{' '}
              <span className="tag" data-tone="missing">
                assumption
              </span>
            </h2>
            <p className="mid">
              The document says that a token should be refreshed before 24 hours elapse
              (Authentication 4), but shows neither the request nor its answer. By default the code
              exchange is sent again with the refresh token in the place of the code, as RFC 6749,
              section 6, has it. Try it once; after that it can go by itself.
            </p>
          </div>
          {refresh.provenAt === null ? (
            <StateMark tone="unsigned" icon={CircleDashed} word="Not proven" />
          ) : (
            <span title={fullTime(refresh.provenAt)}>
              <StateMark tone="valid" icon={Check} word={`Proven ${ago(refresh.provenAt, now)}`} />
            </span>
          )}
          <TryRefresh integrationId={id} proven={proven} />
        </section>
        <TemplateForm key={JSON.stringify(refresh.template)} integration={integration} />
        <section className="panel refresh-when" aria-label="When">
          <h2 className="panel-title">When</h2>
          <StoredField
            label="Due before its end"
            hint="From then on a token is called due. An hour unless changed."
            stored={String(Number((refresh.dueBefore / 60).toFixed(2)))}
            check={(text) => checks.anyNumber(text, 0, 1440)}
            store={async (text) => {
              await client.call('integrations.update', {
                id,
                refresh: { dueBefore: Math.round(Number(text) * 60) },
              })
            }}
            numeric
            after={<span className="field-unit">minutes</span>}
          />
          <label className="check" data-off={!proven || undefined}>
            <input
              type="checkbox"
              checked={wish ?? refresh.automatic}
              disabled={!proven}
              onChange={(event) => automatic.start(event.target.checked)}
            />
            <span>
              Refresh by itself
              <small>
                {proven
                  ? 'When a token is due, and when a call meets 401 after its end. Never twice at once.'
                  : 'Only once this request has brought a token: until then an assumption would be sent unasked, again and again.'}
              </small>
            </span>
          </label>
          {automatic.error !== null && (
            <p className="field-error" role="alert">
              {sentence(automatic.error)}
            </p>
          )}
        </section>
      </div>
    </div>
  )
}

interface TryRefreshProps {
  readonly integrationId: number
  /** Whether it ever brought a token: until then trying it is the next thing to do. */
  readonly proven: boolean
}

/** Tries the request with one of the tokens. */
function TryRefresh({ integrationId, proven }: TryRefreshProps) {
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
