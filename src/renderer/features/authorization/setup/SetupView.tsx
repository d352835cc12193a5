import { useState } from 'react'
import type { Integration, PreflightCheck } from '#contract/integrations.ts'
import { headerName } from '#catalogue/headers.ts'
import { Note } from '../../../components/Note.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import * as checks from '../../settings/checks.ts'
import { StoredField } from '../../settings/StoredField.tsx'
import { useTunnel } from '../../tunnel/store.ts'
import { AccessSecret } from './AccessSecret.tsx'
import { PreflightPanel } from './PreflightPanel.tsx'
import { RedirectUrls } from './RedirectUrls.tsx'
import { usePreflight } from './use-preflight.ts'
import './SetupView.css'
import { Trash2 } from 'lucide-react'
import { Button } from '../../../components/Button.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useEndpoints } from '../../endpoints/store.ts'
import { say } from '../../shell/toasts.ts'
import { useAuthorization } from '../store.ts'

interface Drafts {
  readonly baseUrl: string | null
  readonly accessId: string | null
  readonly redirectUrl: string | null
}

const none: Drafts = { baseUrl: null, accessId: null, redirectUrl: null }

/** What the integration is to the service, with a look at it while it is written. */
export function SetupView({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const [drafts, setDrafts] = useState(none)
  /** Grows when a suggestion is taken: what was being written gives way to it. */
  const [taken, setTaken] = useState(0)
  const { id, accessSecret, redirectUrls } = integration
  const values = {
    baseUrl: drafts.baseUrl ?? integration.baseUrl,
    accessId: drafts.accessId ?? integration.accessId,
    redirectUrl: drafts.redirectUrl ?? integration.redirectUrl,
  }
  const tunnelUrl = useTunnel((state) => state.view?.url ?? null)
  const looked = usePreflight(
    { id, ...values },
    JSON.stringify([accessSecret.set, accessSecret.unavailable, redirectUrls, tunnelUrl]),
  )
  const take = useAction(async ({ field, suggestion }: PreflightCheck) => {
    if (suggestion === null) return
    if (field === 'redirectUrl') await mendRedirectUrl(suggestion)
    else await client.call('integrations.update', { id, [field]: suggestion })
    setDrafts(none)
    setTaken((before) => before + 1)
  })

  async function mendRedirectUrl(suggestion: string): Promise<void> {
    const listed = redirectUrls.filter((url) => url !== suggestion)
    const at = listed.indexOf(integration.redirectUrl)
    await client.call('integrations.update', {
      id,
      redirectUrls: at === -1 ? [...listed, suggestion] : listed.with(at, suggestion),
      redirectUrl: suggestion,
    })
  }

  async function update(change: Partial<Pick<Integration, keyof Drafts | 'name' | 'brand'>>) {
    await client.call('integrations.update', { id, ...change })
  }

  const own = integration.kind === 'sandbox'
  return (
    <div className="auth-scroll">
      <div className="setup">
        <div className="setup-form">
          <section className="panel setup-fields" aria-label="Integration">
            {own && (
              <Note tone="info">
                This is the built-in sandbox. Its address and credentials are filled in when it
                starts; nothing has to be entered. With another address it becomes your own.
              </Note>
            )}
            <div className="setup-two">
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
            <StoredField
              key={`base-url-${taken}`}
              label="Base URL"
              hint="Where the service is: what stands before /manager/oauth and /api/oauth/token."
              stored={integration.baseUrl}
              check={(text) => checks.atMost(text, 2000)}
              store={(baseUrl) => update({ baseUrl })}
              onDraft={(baseUrl) => setDrafts((before) => ({ ...before, baseUrl }))}
              readOnly={own}
              mono
            />
            <StoredField
              key={`access-id-${taken}`}
              label="Access ID"
              hint="The document calls it api_access_id."
              stored={integration.accessId}
              check={(text) => checks.atMost(text, 1000)}
              store={(accessId) => update({ accessId })}
              onDraft={(accessId) => setDrafts((before) => ({ ...before, accessId }))}
              readOnly={own}
              mono
            />
            <AccessSecret integration={integration} />
            <RedirectUrls
              key={`redirect-${taken}`}
              integration={integration}
              checks={looked.preflight?.checks ?? []}
              onDraft={(redirectUrl) => setDrafts((before) => ({ ...before, redirectUrl }))}
            />
          </section>
          <RemoveIntegration integration={integration} />
        </div>
        <PreflightPanel
          looked={looked}
          busy={take.busy}
          error={take.error === null ? null : sentence(take.error)}
          onTake={take.start}
        />
      </div>
    </div>
  )
}

/** Removes the integration, or says why it cannot be removed. */
function RemoveIntegration({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const count = useAuthorization((state) => state.integrations.length)
  const endpoints = useEndpoints((state) => state.endpoints)
  const [asking, setAsking] = useState(false)
  const name = visible(cut(integration.name, 60))
  const remove = useAction(async () => {
    await client.call('integrations.remove', { id: integration.id })
    setAsking(false)
    say('valid', `${name} is removed.`)
  })
  const hindrance =
    count === 1
      ? 'This is the last integration. Create another one first.'
      : endpoints.some(({ integrationId }) => integrationId === integration.id)
        ? 'Endpoints belong to it. Delete them, or move them to another integration, first.'
        : null
  return (
    <div className="remove">
      <Button
        kind="danger"
        icon={<Trash2 aria-hidden />}
        disabled={hindrance !== null}
        aria-describedby="remove-hindrance"
        onClick={() => setAsking(true)}
      >
        Remove integration
      </Button>
      <p className="field-hint" id="remove-hindrance">
        {hindrance ?? 'With its tokens and the records of its runs.'}
      </p>
      <Confirm
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title={`Remove ${name}?`}
        description="Its access secret, its tokens and the records of its runs go for good. The service is not told."
        action="Remove"
        busy={remove.busy}
        error={remove.error === null ? null : sentence(remove.error)}
        onConfirm={() => remove.start()}
      />
    </div>
  )
}
