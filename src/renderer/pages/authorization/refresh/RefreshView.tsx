import { useId, useState } from 'react'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import {
  type Integration,
  type RefreshTemplate,
  RefreshTemplate as Schema,
} from '#contract/integrations.ts'
import { useDraft } from '#kit/use-draft.tsx'
import { HeaderRows } from '#parts/exchange/HeaderRows.tsx'
import { toast } from '#kit/toasts.ts'
import { StoredField } from '#kit/StoredField.tsx'
import * as checks from '#kit/field-checks.ts'
import { Icons } from '#kit/icons.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { ago, fullTime } from '#kit/text/time.ts'
import { useNow } from '#kit/Time.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { RefreshResult } from '../tokens/TokenActions.tsx'
import type { Run } from '#contract/authorization.ts'
import { CheckField, Field, InlineSelect, SelectField } from '#kit/Field.tsx'
import { Page } from '#kit/Page.tsx'
import { Button } from '#kit/Button.tsx'
import { ErrorNote, ErrorText, Note } from '#kit/Note.tsx'
import { runAddress } from '#client/addresses/authorization.ts'
import { useTokens } from '#client/state/authorization.ts'
import { tokenName } from '../tokens/labels.tsx'
import { byUse } from '../tokens/lifetime.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'

/** How tokens are refreshed. The user can edit the request, because the API documentation does not show one. */
export function RefreshView({ integration }: { integration: Integration }) {
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
        className="framed grid grid-cols-1-auto items-start gap-5 gap-x-8 p-6 below-480:grid-cols-1"
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
function TryRefresh(props: { integrationId: number; proven: boolean }) {
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
      </div>
      <ErrorNote error={attempt.error} />
      {run && <RefreshResult run={run} />}
    </div>
  )
}

const placeholders = ['{{refresh_token}}', '{{access_id}}', '{{access_secret}}'] as const

function sameTemplate(a: RefreshTemplate, b: RefreshTemplate): boolean {
  return partsOf(a) === partsOf(b)
}

function partsOf({ method, path, headers, body }: RefreshTemplate): string {
  return JSON.stringify([method, path, headers, body])
}

export function isDefault(template: RefreshTemplate): boolean {
  return sameTemplate(template, defaultRefreshTemplate)
}

export function templateErrors({ path, body }: RefreshTemplate) {
  return {
    path: path === '' ? 'Enter a path under the base URL, such as /api/oauth/token.' : null,
    body: body.trim() === '' ? null : jsonError(body),
  }
}

/** A warning about a template that can still be saved; null if there is none. */
export function templateWarning({ method, path, headers, body }: RefreshTemplate): string | null {
  const allText = [path, body, ...headers.flat()].join('\n')
  if (!allText.includes('{{refresh_token}}')) {
    return 'This request does not contain the refresh token. Add {{refresh_token}}.'
  }
  const unknown = allText.match(/\{\{[^{}]*\}\}/g)?.find((found) => !isPlaceholder(found))
  if (unknown !== undefined) return `${unknown} is not a known placeholder. It is sent unchanged.`
  if (path.includes('{{access_secret}}') || path.includes('{{refresh_token}}')) {
    return 'Servers on the network path can log a secret in a path or query.'
  }
  return method === 'GET' && body.trim() !== '' ? 'Many servers ignore the body of a GET.' : null
}

function isPlaceholder(text: string): boolean {
  return placeholders.some((known) => known === text)
}

function jsonError(body: string): string | null {
  try {
    JSON.parse(body)
    return null
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'cannot be parsed'}.`
  }
}

function TemplateForm({ integration }: { integration: Integration }) {
  const client = useClient()
  const field = useId()
  const { id, refresh } = integration
  const form = useDraft<RefreshTemplate>(refresh.template, templateErrors, async (edited) => {
    const headers = edited.headers.filter(([name]) => name.trim() !== '')
    await client.call('integrations.update', { id, refresh: { template: { ...edited, headers } } })
    toast('valid', 'Saved. Test the request again.')
  })
  const { draft, set, shown, text } = form
  const warning = templateWarning(draft)
  const changed = !sameTemplate(draft, refresh.template)
  return (
    <form
      className="framed grid gap-5 p-6"
      aria-label="The request"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <header className="flex items-center justify-between">
        <h2 className="text-m">The request</h2>
        <Button
          kind="quiet"
          icon={Icons.Undo2}
          disabled={isDefault(draft)}
          onClick={() => set(defaultRefreshTemplate)}
        >
          Reset to default
        </Button>
      </header>
      <div className="grid grid-cols-label-1 items-start gap-5 below-480:grid-cols-1">
        <SelectField
          label="Method"
          value={draft.method}
          onChange={({ target }) => set({ method: Schema.shape.method.parse(target.value) })}
        >
          {Schema.shape.method.options.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </SelectField>
        <Field label="Path under the base URL" data-mono maxLength={2000} {...text('path')} />
      </div>
      <HeaderRows
        legend="Headers"
        maximum={50}
        headers={draft.headers}
        onChange={(headers) => set({ headers: [...headers] })}
      />
      <div className="field">
        <label htmlFor={field}>Body, JSON</label>
        <textarea
          id={field}
          className="input mono"
          rows={8}
          spellCheck={false}
          maxLength={100_000}
          value={draft.body}
          aria-invalid={shown.body ? true : undefined}
          aria-describedby={`${field}-note`}
          onChange={({ target }) => set({ body: target.value })}
        />
        {shown.body ? (
          <ErrorText error={shown.body} id={`${field}-note`} />
        ) : (
          <p className="field-hint text-s text-dim" id={`${field}-note`}>
            If empty, no body is sent. Placeholders: {placeholders.join(', ')}.
          </p>
        )}
      </div>
      {warning !== null && <Note tone="warning">{warning}</Note>}
      <ErrorNote error={form.error} />
      <div className="flex flex-wrap items-center gap-4">
        <Button
          type="submit"
          kind={changed ? 'primary' : 'plain'}
          disabled={!changed}
          busy={form.busy}
        >
          Save
        </Button>
        {changed && (
          <Button kind="quiet" onClick={() => set(refresh.template)}>
            Discard changes
          </Button>
        )}
      </div>
    </form>
  )
}
