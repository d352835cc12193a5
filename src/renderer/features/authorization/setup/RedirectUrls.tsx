import { useId, useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { SelectField } from '../../../ui/Field.tsx'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import { ErrorText } from '../../../ui/Failure.tsx'
import { useAction, useClient } from '../../../platform/use-client.ts'
import * as checks from '../../../platform/field-checks.ts'

interface Props {
  readonly integration: Integration
  /** Reports the URL being edited, for the preflight; null when editing ends. */
  readonly onDraft: (url: string | null) => void
}

/** The redirect URLs as listed on the dashboard, one a line, and the one that authorizations use. */
export function RedirectUrls({ integration, onDraft }: Props) {
  const client = useClient()
  const field = useId()
  const { id, kind, redirectUrls, redirectUrl } = integration
  /** The user's input; null if unchanged. */
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const update = useAction(
    async (change: { redirectUrls?: string[]; redirectUrl?: string }): Promise<void> => {
      await client.call('integrations.update', { id, ...change })
      setDraft(null)
      onDraft(null)
    },
  )

  function edit(text: string): void {
    setDraft(text)
    onDraft(linesOf(text).find((url) => !redirectUrls.includes(url)) ?? null)
  }

  function save(): void {
    if (draft === null) return
    const urls = linesOf(draft)
    const error = problemOf(urls)
    setProblem(error)
    if (error !== null) return
    // The one that is used stays so when it is edited.
    const edited = urls[redirectUrls.indexOf(redirectUrl)]
    update.start({
      redirectUrls: urls,
      ...(!urls.includes(redirectUrl) && edited !== undefined && { redirectUrl: edited }),
    })
  }

  const error = problem ?? update.message
  return (
    <>
      <div className="field">
        <label htmlFor={field}>Redirect URLs</label>
        <textarea
          id={field}
          className="input mono"
          rows={Math.max(2, redirectUrls.length + 1)}
          placeholder="http://127.0.0.1:4781/callback"
          spellCheck={false}
          value={draft ?? redirectUrls.join('\n')}
          aria-invalid={error !== null}
          aria-describedby={`${field}-note`}
          onChange={({ target }) => edit(target.value)}
          onBlur={save}
        />
        {error === null ? (
          <p className="field-hint" id={`${field}-note`}>
            {kind === 'sandbox' && redirectUrls.length === 0
              ? 'Filled in when the sandbox starts.'
              : 'Exactly as listed on the dashboard, one on each line.'}
          </p>
        ) : (
          <ErrorText error={error} id={`${field}-note`} />
        )}
      </div>
      {redirectUrls.length > 1 && (
        <SelectField
          label="Used for authorizations"
          hint="The service redirects the user to it."
          value={redirectUrl}
          onChange={({ target }) => update.start({ redirectUrl: target.value })}
        >
          {redirectUrls.map((url) => (
            <option key={url} value={url}>
              {escapeControls(truncate(url, 120))}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function problemOf(urls: readonly string[]): string | null {
  if (new Set(urls).size < urls.length) return 'An address is listed twice.'
  if (urls.length > 50) return 'List at most 50 addresses.'
  return urls.map((url) => checks.atMost(url, 2000)).find((error) => error !== null) ?? null
}
