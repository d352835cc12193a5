import { useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { StoredField } from '#kit/StoredField.tsx'
import * as checks from '#kit/field-checks.ts'
import { Icons } from '#kit/icons.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { ago, fullTime } from '#kit/text/time.ts'
import { useNow } from '#kit/Time.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { RefreshResult } from '../tokens/TokenActions.tsx'
import { TemplateForm } from './TemplateForm.tsx'
import type { Run } from '#contract/authorization.ts'
import { InlineSelect, CheckField } from '#kit/Field.tsx'
import { Page } from '#kit/Page.tsx'
import { Button } from '#kit/Button.tsx'
import { ErrorNote, ErrorText } from '#kit/Note.tsx'
import { runAddress } from '#client/addresses/authorization.ts'
import { useTokens } from '#client/state/authorization.ts'
import { tokenName } from '../tokens/labels.tsx'
import { byUse } from '../tokens/lifetime.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'

/** How tokens are refreshed. The user can edit the request, because the API documentation does not show one. */
export function RefreshView({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const now = useNow()
  const { id, refresh } = integration
  const [pending, setPending] = useState<boolean | null>(null)
  const automatic = useAction(async (on: boolean) => {
    // Shown immediately, before the store confirms it: the click is visible in the same frame.
    setPending(on)
    try {
      await client.call('integrations.update', { id, refresh: { automatic: on } })
    } finally {
      setPending(null)
    }
  })
  const proven = refresh.provenAt !== null
  return (
    <Page>
      <section
        className="framed grid grid-cols-1-auto items-start gap-5 gap-x-8 p-6 below-480:grid-cols-1 below-480:flex-wrap"
        aria-label="Basis of the refresh request"
      >
        <div>
          <h2 className="text-m">
            Not in the API documentation: this is an{' '}
            <span className="tag" data-tone="warning">
              assumption
            </span>
          </h2>
          <p className="mt-2 max-w-[76ch] text-mid">
            The API documentation says to refresh a token within 24 hours (Authentication 4), but
            does not show the request or its response. By default, Tabscope repeats the code
            exchange with the refresh token in place of the code, as in RFC 6749, section 6. Try it
            once. After that, refreshes can be automatic.{' '}
            <LearnMore page="authorization" section="refresh-tokens" />
          </p>
        </div>
        {refresh.provenAt === null ? (
          <StateMark tone="unsigned" icon={Icons.CircleDashed} word="Not tested" />
        ) : (
          <span title={fullTime(refresh.provenAt)}>
            <StateMark
              tone="valid"
              icon={Icons.Check}
              word={`Tested ${ago(refresh.provenAt, now)}`}
            />
          </span>
        )}
        <TryRefresh integrationId={id} proven={proven} />
      </section>
      <TemplateForm key={JSON.stringify(refresh.template)} integration={integration} />
      <section className="framed grid gap-5 p-6" aria-label="When">
        <h2 className="text-m">When</h2>
        <StoredField
          label="Refresh before expiry"
          hint="A token is due this long before it expires. Default: one hour."
          stored={String(Number((refresh.dueBeforeSeconds / 60).toFixed(2)))}
          check={(text) => checks.anyNumber(text, 0, 1440)}
          store={async (text) => {
            await client.call('integrations.update', {
              id,
              refresh: { dueBeforeSeconds: Math.round(checks.numberOf(text) * 60) },
            })
          }}
          numeric
          after={<span className="flex-none text-dim">minutes</span>}
        />
        <CheckField
          label="Refresh automatically"
          note={
            proven
              ? 'When a token is due, and when a call gets 401 after expiry. One refresh at a time.'
              : 'Available once this request has returned a token. Until then, the request is only an assumption.'
          }
          checked={pending ?? refresh.automatic}
          disabled={!proven}
          onChange={automatic.start}
        />
        <ErrorText error={automatic.error} />
      </section>
    </Page>
  )
}

/** `proven`: the request has returned a token. Until then, trying it is the primary action. */
function TryRefresh(props: { readonly integrationId: number; readonly proven: boolean }) {
  const { integrationId, proven } = props
  const client = useClient()
  const now = useNow()
  const tokens = byUse(useTokens(integrationId), now).filter(
    ({ hasRefreshToken, status }) =>
      hasRefreshToken && status !== 'forgotten' && status !== 'unavailable',
  )
  const [selectedId, setSelectedId] = useState<number | null>(null)
  const [run, setRun] = useState<Run | null>(null)
  const token = tokens.find(({ id }) => id === selectedId) ?? tokens[0]
  const attempt = useAction(async (id: number) => {
    setRun(null)
    setRun(await client.call('tokens.refresh', { id }))
  })
  if (!token) {
    return (
      <p className="col-span-full text-dim">
        No stored token has a refresh token to try this with.{' '}
        <a href={runAddress(null)}>Authorize</a> first.
      </p>
    )
  }
  return (
    <div className="col-span-full grid gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Button
          kind={proven ? 'plain' : 'primary'}
          icon={Icons.RefreshCw}
          busy={attempt.busy || token.refreshing}
          onClick={() => attempt.start(token.id)}
        >
          Try it now
        </Button>
        {tokens.length === 1 ? (
          <span className="text-mid">with {tokenName(token)}</span>
        ) : (
          <InlineSelect
            aria-label="Token to try it with"
            value={token.id}
            onChange={(event) => setSelectedId(Number(event.target.value))}
          >
            {tokens.map((option) => (
              <option key={option.id} value={option.id}>
                {tokenName(option)}
              </option>
            ))}
          </InlineSelect>
        )}
      </div>
      <ErrorNote error={attempt.error} />
      {run && <RefreshResult run={run} />}
    </div>
  )
}
