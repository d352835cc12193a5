import { Icons } from '#kit/icons.tsx'
import { useId } from 'react'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import {
  type Integration,
  type RefreshTemplate,
  RefreshTemplate as Schema,
} from '#contract/integrations.ts'
import { Button } from '#kit/Button.tsx'
import { Field, SelectField } from '#kit/Field.tsx'
import { ErrorNote, ErrorText, Note } from '#kit/Note.tsx'
import { useDraft } from '#kit/use-draft.tsx'
import { useClient } from '#client/use-client.ts'
import { HeaderRows } from '#parts/exchange/HeaderRows.tsx'
import { toast } from '#kit/toasts.ts'

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

export function TemplateForm({ integration }: { readonly integration: Integration }) {
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
