import { Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { Integration, RefreshTemplate } from '#contract/integrations.ts'
import { defaultRefreshTemplate, RefreshTemplate as Schema } from '#contract/integrations.ts'
import { Button } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Field, SelectField } from '../../../components/Field.tsx'
import { Note } from '../../../components/Note.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { HeaderRows } from '../../endpoints/HeaderRows.tsx'
import { say } from '../../shell/toasts.ts'
import { doubtIn, isDefault, placeholders, sameTemplate, wrongIn } from './template.ts'

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
    say('valid', 'Stored. The request is to be proven again.')
  })

  function change(part: Partial<RefreshTemplate>): void {
    setDraft((before) => ({ ...before, ...part }))
  }

  return (
    <section className="panel" aria-label="The request">
      <form
        className="template"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (wrong.path !== null || wrong.body !== null) return
          save.start({ ...draft, headers: draft.headers.filter(([name]) => name.trim() !== '') })
        }}
      >
        <header className="template-head">
          <h2 className="panel-title">The request</h2>
          <Button
            kind="quiet"
            icon={<Undo2 aria-hidden />}
            disabled={isDefault(draft)}
            onClick={() => setDraft(defaultRefreshTemplate)}
          >
            Back to the default
          </Button>
        </header>
        <div className="template-line">
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
        </div>
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
            className="input mono template-body"
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
              Empty: none is sent.
            </p>
          )}
        </div>
        <div className="template-fill">
          <span className="field-hint">Filled in when it is sent:</span>
          {placeholders.map((placeholder) => (
            <span key={placeholder} className="template-name">
              <code className="mono">{placeholder}</code>
              <CopyButton text={placeholder} label={`Copy ${placeholder}`} copy={copyText} />
            </span>
          ))}
        </div>
        {doubt !== null && <Note tone="missing">{doubt}</Note>}
        {save.error !== null && (
          <Note tone="invalid" alert>
            {sentence(save.error)}
          </Note>
        )}
        <div className="line-actions">
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
        </div>
      </form>
    </section>
  )
}
