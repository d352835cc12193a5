import { useState, useId } from 'react'
import type { Integration, PreflightCheck } from '#contract/integrations.ts'
import { headerName } from '#catalogue/headers.ts'
import { ErrorText, Note } from '#kit/Note.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import * as checks from '#kit/field-checks.ts'
import { StoredField } from '#kit/StoredField.tsx'
import { useTunnel } from '#client/state/tunnel.ts'
import { PreflightPanel, usePreflight } from './PreflightPanel.tsx'
import { Icons } from '#kit/icons.tsx'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { toast } from '#kit/toasts.ts'
import { useAuthorization } from '#client/state/authorization.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { SecretField } from '#kit/SecretField.tsx'
import { SecretLine } from '#kit/SecretLine.tsx'
import { useDraft } from '#kit/use-draft.tsx'
import { Page } from '#kit/Page.tsx'
import { useShell } from '#client/state/app.ts'
import { SelectField } from '#kit/Field.tsx'

type Draft = 'baseUrl' | 'accessId' | 'redirectUrl'

const serviceFields = [
  {
    name: 'baseUrl',
    label: 'Base URL',
    hint: 'The address before /manager/oauth and /api/oauth/token.',
    maxLength: 2000,
  },
  {
    name: 'accessId',
    label: 'Access ID',
    hint: 'api_access_id in the API documentation.',
    maxLength: 1000,
  },
] as const

/** The settings of an integration, with a preflight that runs while the user types. */
export function SetupView({ integration }: { integration: Integration }) {
  const client = useClient()
  const [drafts, setDrafts] = useState<{ readonly [N in Draft]?: string | null }>({})
  /** Increases when a suggestion is applied, which resets the fields and their drafts. */
  const [applied, setApplied] = useState(0)
  const { id, accessSecret, redirectUrls } = integration
  const values = {
    baseUrl: drafts.baseUrl ?? integration.baseUrl,
    accessId: drafts.accessId ?? integration.accessId,
    redirectUrl: drafts.redirectUrl ?? integration.redirectUrl,
  }
  const tunnelUrl = useTunnel((state) => state.view?.url ?? null)
  const preflight = usePreflight(
    { id, ...values },
    JSON.stringify([accessSecret.set, accessSecret.unavailable, redirectUrls, tunnelUrl]),
  )
  const apply = useAction(async ({ field, suggestion }: PreflightCheck) => {
    if (suggestion === null) return
    if (field === 'redirectUrl') await applyRedirectUrl(suggestion)
    else await client.call('integrations.update', { id, [field]: suggestion })
    setDrafts({})
    setApplied((count) => count + 1)
  })

  async function applyRedirectUrl(suggestion: string): Promise<void> {
    const listed = redirectUrls.filter((url) => url !== suggestion)
    const at = listed.indexOf(integration.redirectUrl)
    await client.call('integrations.update', {
      id,
      redirectUrls: at === -1 ? [...listed, suggestion] : listed.with(at, suggestion),
      redirectUrl: suggestion,
    })
  }

  async function update(change: Partial<Pick<Integration, Draft | 'name' | 'brand'>>) {
    await client.call('integrations.update', { id, ...change })
  }

  const isSandbox = integration.kind === 'sandbox'
  return (
    <Page wide>
      <div className="grid max-w-[calc(var(--measure-page)_+_var(--measure-aside))] grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)] items-start gap-6 below-860:grid-cols-1">
        <div className="grid gap-6">
          <section className="framed grid gap-6 p-6" aria-label="Integration">
            {isSandbox && (
              <Note tone="info">
                This is the built-in sandbox. Its address and credentials are filled in when it
                starts. Changing the base URL detaches it from the sandbox.
              </Note>
            )}
            <div className="grid grid-cols-2 items-start gap-5 below-480:grid-cols-1">
              <StoredField
                label="Name"
                stored={integration.name}
                check={checks.name}
                store={(name) => update({ name })}
              />
              <StoredField
                label="Brand"
                hint={`As in ${headerName(integration.brand, 'signature')}.`}
                stored={integration.brand}
                check={checks.brand}
                store={(brand) => update({ brand })}
                mono
              />
            </div>
            {serviceFields.map(({ name, label, hint, maxLength }) => (
              <StoredField
                key={`${name}-${applied}`}
                label={label}
                hint={hint}
                stored={integration[name]}
                check={(text) => checks.atMost(text, maxLength)}
                store={(text) => update({ [name]: text })}
                onDraft={(text) => setDrafts((before) => ({ ...before, [name]: text }))}
                readOnly={isSandbox}
                mono
              />
            ))}
            <AccessSecret integration={integration} />
            <RedirectUrls
              key={`redirect-${applied}`}
              integration={integration}
              onDraft={(redirectUrl) => setDrafts((before) => ({ ...before, redirectUrl }))}
            />
          </section>
          <RemoveIntegration integration={integration} />
        </div>
        <PreflightPanel result={preflight} integration={integration} apply={apply} />
      </div>
    </Page>
  )
}

function RemoveIntegration({ integration }: { integration: Integration }) {
  const client = useClient()
  const count = useAuthorization((state) => state.integrations.length)
  const endpoints = useEndpoints((state) => state.endpoints)
  const name = shortText(integration.name, 60)
  const remove = (): void =>
    confirm({
      title: `Remove ${name}?`,
      description:
        'Deletes its access secret, tokens and run records. The service is not notified. This cannot be undone.',
      action: 'Remove',
      async run() {
        await client.call('integrations.remove', { id: integration.id })
        toast('valid', `${name} removed.`)
      },
    })
  const obstacle =
    count === 1
      ? 'This is the last integration. Create another one first.'
      : endpoints.some(({ integrationId }) => integrationId === integration.id)
        ? 'This integration has endpoints. Delete them or move them to another integration first.'
        : null
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Button
        kind="danger"
        icon={Icons.Trash2}
        disabled={obstacle !== null}
        aria-describedby="remove-obstacle"
        onClick={remove}
      >
        Remove integration
      </Button>
      <p className="field-hint text-s text-dim" id="remove-obstacle">
        {obstacle ?? 'Also deletes its tokens and run records.'}
      </p>
    </div>
  )
}

function AccessSecret({ integration }: { integration: Integration }) {
  const client = useClient()
  const { id, accessSecret, kind } = integration
  const [setting, setSetting] = useState(false)
  const clear = (): void =>
    confirm({
      title: 'Clear the access secret?',
      description:
        'Tabscope deletes the secret. You cannot exchange codes for tokens until you enter it again.',
      action: 'Clear access secret',
      async run() {
        await client.call('integrations.clearAccessSecret', { id })
      },
    })
  const locked = useShell((state) => state.secretsLocked)
  return (
    <div className="field" role="group" aria-label="Access secret">
      <span className="text-s font-semibold text-mid">Access secret</span>
      <SecretLine
        name="Access secret"
        ending={accessSecret.ending}
        obstacle={
          !accessSecret.set ? 'not set' : accessSecret.unavailable ? 'cannot be read' : undefined
        }
        load={async () => (await client.call('integrations.revealAccessSecret', { id })).secret}
      >
        {kind !== 'sandbox' && (
          <span className="ml-auto flex gap-2">
            {accessSecret.set && (
              <Button kind="quiet" onClick={clear}>
                Clear
              </Button>
            )}
            <Button icon={Icons.KeyRound} onClick={() => setSetting(true)}>
              {accessSecret.set ? 'Replace' : 'Set access secret'}
            </Button>
          </span>
        )}
      </SecretLine>
      {accessSecret.unavailable && (
        <Note tone="warning">
          {locked
            ? 'Unlock your system’s keyring to use it.'
            : 'It is stored but cannot be read on this machine. Enter it again.'}
        </Note>
      )}
      <p className="field-hint text-s text-dim">
        api_access_secret in the API documentation. Stored encrypted.
      </p>
      {setting && <SetSecret integration={integration} onClose={() => setSetting(false)} />}
    </div>
  )
}

function SetSecret(props: { integration: Integration; onClose: () => void }) {
  const { integration, onClose } = props
  const client = useClient()
  const form = useDraft(
    { secret: '' },
    ({ secret }) => ({ secret: secret === '' ? 'Enter the access secret.' : null }),
    async ({ secret }) => {
      await client.call('integrations.setAccessSecret', { id: integration.id, secret })
      toast('valid', 'Access secret stored.')
      onClose()
    },
  )
  return (
    <FormDialog
      onClose={onClose}
      title={integration.accessSecret.set ? 'Replace the access secret' : 'Set the access secret'}
      description="Tabscope sends it only to the service, with each code."
      action="Store access secret"
      form={form}
    >
      <SecretField
        label="Access secret"
        hint="From the service’s integrations dashboard."
        maxLength={4000}
        value={form.draft.secret}
        error={form.shown.secret ?? null}
        onValue={(secret) => form.set({ secret })}
      />
    </FormDialog>
  )
}

interface RedirectUrlsProps {
  integration: Integration
  /** Reports the URL being edited, for the preflight; null when editing ends. */
  onDraft: (url: string | null) => void
}

function RedirectUrls({ integration, onDraft }: RedirectUrlsProps) {
  const client = useClient()
  const field = useId()
  const { id, kind, redirectUrls, redirectUrl } = integration
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
          <p className="field-hint text-s text-dim" id={`${field}-note`}>
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
              {shortText(url, 120)}
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
