import { Icons } from '#kit/icons.tsx'
import { useId, useState } from 'react'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import {
  type Integration,
  type RefreshTemplate,
  RefreshTemplate as Schema,
} from '#contract/integrations.ts'
import { Button } from '#kit/Button.tsx'
import { Field, SelectField } from '#kit/Field.tsx'
import { ErrorNote, ErrorText, Note } from '#kit/Note.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { HeaderRows } from '#parts/exchange/HeaderRows.tsx'
import { toast } from '#kit/toasts.ts'

const placeholders = ['{{refresh_token}}', '{{access_id}}', '{{access_secret}}'] as const

function sameTemplate(a: RefreshTemplate, b: RefreshTemplate): boolean {
  return (
    a.method === b.method &&
    a.path === b.path &&
    a.body === b.body &&
    JSON.stringify(a.headers) === JSON.stringify(b.headers)
  )
}

export function isDefault(template: RefreshTemplate): boolean {
  return sameTemplate(template, defaultRefreshTemplate)
}

interface TemplateErrors {
  readonly path: string | null
  readonly body: string | null
}

export function templateErrors({ path, body }: RefreshTemplate): TemplateErrors {
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

const methods = Schema.shape.method.options

export function TemplateForm({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const { id, refresh } = integration
  const [draft, setDraft] = useState<RefreshTemplate>(refresh.template)
  const [submitted, setSubmitted] = useState(false)
  const errors = templateErrors(draft)
  const warning = templateWarning(draft)
  const changed = !sameTemplate(draft, refresh.template)
  const save = useAction(async (template: RefreshTemplate) => {
    await client.call('integrations.update', { id, refresh: { template } })
    toast('valid', 'Saved. Test the request again.')
  })

  function change(part: Partial<RefreshTemplate>): void {
    setDraft((before) => ({ ...before, ...part }))
  }

  return (
    <form
      className="framed grid gap-5 p-6"
      aria-label="The request"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (errors.path !== null || errors.body !== null) return
        save.start({ ...draft, headers: draft.headers.filter(([name]) => name.trim() !== '') })
      }}
    >
      <header className="flex items-center justify-between">
        <h2 className="text-m">The request</h2>
        <Button
          kind="quiet"
          icon={Icons.Undo2}
          disabled={isDefault(draft)}
          onClick={() => setDraft(defaultRefreshTemplate)}
        >
          Reset to default
        </Button>
      </header>
      <div className="grid grid-cols-label-1 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
        <SelectField
          label="Method"
          value={draft.method}
          onChange={(event) => {
            const method = methods.find((name) => name === event.target.value)
            if (method) change({ method })
          }}
        >
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </SelectField>
        <Field
          label="Path under the base URL"
          data-mono
          maxLength={2000}
          value={draft.path}
          error={submitted ? errors.path : null}
          onChange={(event) => change({ path: event.target.value })}
        />
      </div>
      <HeaderRows
        legend="Headers"
        maximum={50}
        headers={draft.headers}
        onChange={(headers) => change({ headers: [...headers] })}
      />
      <BodyField
        body={draft.body}
        error={submitted ? errors.body : null}
        onChange={(body) => change({ body })}
      />
      {warning !== null && <Note tone="warning">{warning}</Note>}
      <ErrorNote error={save.error} />
      <div className="flex flex-wrap items-center gap-4">
        <Button
          type="submit"
          kind={changed ? 'primary' : 'plain'}
          disabled={!changed}
          busy={save.busy}
        >
          Save
        </Button>
        {changed && (
          <Button
            kind="quiet"
            onClick={() => {
              setDraft(refresh.template)
              setSubmitted(false)
            }}
          >
            Discard changes
          </Button>
        )}
      </div>
    </form>
  )
}

interface BodyFieldProps {
  readonly body: string
  readonly error: string | null
  readonly onChange: (body: string) => void
}

function BodyField({ body, error, onChange }: BodyFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Body, JSON</label>
      <textarea
        id={id}
        className="input mono"
        rows={8}
        spellCheck={false}
        maxLength={100_000}
        value={body}
        aria-invalid={error !== null ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      {error !== null ? (
        <ErrorText error={error} id={`${id}-note`} />
      ) : (
        <p className="field-hint text-s text-dim" id={`${id}-note`}>
          If empty, no body is sent. Placeholders: {placeholders.join(', ')}.
        </p>
      )}
    </div>
  )
}
