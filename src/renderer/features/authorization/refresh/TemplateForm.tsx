import { Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import {
  type Integration,
  type RefreshTemplate,
  defaultRefreshTemplate,
  RefreshTemplate as Schema,
} from '#contract/integrations.ts'
import { Text, Grid, Row, Stack } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { Note } from '../../../ui/Note.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { HeaderRows } from '../../../ui/HeaderRows.tsx'
import { say } from '../../../platform/toasts.ts'

/** What is filled in when a refresh is sent. */
const placeholders = ['{{refresh_token}}', '{{access_id}}', '{{access_secret}}'] as const

/** Whether two templates make the same request. */
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

interface Wrong {
  readonly path: string | null
  readonly body: string | null
}

/** What keeps a template from being saved. */
export function wrongIn({ path, body }: RefreshTemplate): Wrong {
  return {
    path: path === '' ? 'Enter a path under the base URL, such as /api/oauth/token.' : null,
    body: body.trim() === '' ? null : jsonFault(body),
  }
}

/** What is odd in a template that may be saved all the same; null: nothing. */
export function doubtIn({ method, path, headers, body }: RefreshTemplate): string | null {
  const whole = [path, body, ...headers.flat()].join('\n')
  if (!whole.includes('{{refresh_token}}')) {
    return 'This request does not contain the refresh token. Add {{refresh_token}}.'
  }
  const unknown = whole.match(/\{\{[^{}]*\}\}/g)?.find((found) => !isPlaceholder(found))
  if (unknown !== undefined) return `${unknown} is not a known placeholder. It is sent unchanged.`
  if (path.includes('{{access_secret}}') || path.includes('{{refresh_token}}')) {
    return 'Servers on the network path can log a secret in a path or query.'
  }
  return method === 'GET' && body.trim() !== '' ? 'Many servers ignore the body of a GET.' : null
}

function isPlaceholder(text: string): boolean {
  return placeholders.some((known) => known === text)
}

function jsonFault(body: string): string | null {
  try {
    JSON.parse(body)
    return null
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'cannot be parsed'}.`
  }
}

const methods = Schema.shape.method.options

/** The request that refreshes a token, part by part. */
export function TemplateForm({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const bodyId = useId()
  const { id, refresh } = integration
  const [draft, setDraft] = useState<RefreshTemplate>(refresh.template)
  const [tried, setTried] = useState(false)
  const wrong = wrongIn(draft)
  const doubt = doubtIn(draft)
  const changed = !sameTemplate(draft, refresh.template)
  const save = useAction(async (template: RefreshTemplate) => {
    await client.call('integrations.update', { id, refresh: { template } })
    say('valid', 'Saved. Try the request again to prove it.')
  })

  function change(part: Partial<RefreshTemplate>): void {
    setDraft((before) => ({ ...before, ...part }))
  }

  return (
    <Stack
      as="form"
      gap={5}
      pad={6}
      frame
      aria-label="The request"

      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (wrong.path !== null || wrong.body !== null) return
        save.start({ ...draft, headers: draft.headers.filter(([name]) => name.trim() !== '') })
      }}
    >
      <Row as="header" align="center" justify="between">
        <Text as="h2" size="m">
          The request
        </Text>
        <Button
          kind="quiet"
          icon={<Undo2 aria-hidden />}
          disabled={isDefault(draft)}
          onClick={() => setDraft(defaultRefreshTemplate)}
        >
          Reset to default
        </Button>
      </Row>
      <Grid columns="label 1" collapse gap={5} align="start">
        <SelectField
          label="Method"
          value={draft.method}
          onChange={(event) => {
            const method = methods.find((one) => one === event.target.value)
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
          error={tried ? wrong.path : null}
          onChange={(event) => change({ path: event.target.value })}
        />
      </Grid>
      <HeaderRows
        legend="Headers"
        most={50}
        headers={draft.headers}
        onChange={(headers) => change({ headers: [...headers] })}
      />
      <div className="field">
        <label htmlFor={bodyId}>Body, JSON</label>
        <textarea
          id={bodyId}
          className="input mono"
          rows={8}
          spellCheck={false}
          maxLength={100_000}
          value={draft.body}
          aria-invalid={tried && wrong.body !== null ? true : undefined}
          aria-describedby={`${bodyId}-note`}
          onChange={(event) => change({ body: event.target.value })}
        />
        {tried && wrong.body !== null ? (
          <p className="field-error" id={`${bodyId}-note`} role="alert">
            {wrong.body}
          </p>
        ) : (
          <p className="field-hint" id={`${bodyId}-note`}>
            If empty, no body is sent.
          </p>
        )}
      </div>
      <Row wrap align="center" gap={2} gapX={4}>
        <span className="field-hint">Filled in when sent:</span>
        {placeholders.map((placeholder) => (
          <Row
            as="span"
            inline
            align="center"
            pad={[0, 3]}
            round="s"
            ground="sunken"
            key={placeholder}
          >
            <code className="mono">{placeholder}</code>
            <CopyButton text={placeholder} label={`Copy ${placeholder}`} copy={copyText} />
          </Row>
        ))}
      </Row>
      {doubt !== null && <Note tone="missing">{doubt}</Note>}
      {save.error !== null && (
        <Note tone="invalid" alert>
          {sentence(save.error)}
        </Note>
      )}
      <Row wrap align="center" gap={4}>
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
              setTried(false)
            }}
          >
            Discard changes
          </Button>
        )}
      </Row>
    </Stack>
  )
}
