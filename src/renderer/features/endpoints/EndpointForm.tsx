import { useState } from 'react'
import type { Endpoint, Header } from '#contract/models.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Field, SelectField } from '../../components/Field.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useAuthorization, useIntegration } from '../authorization/store.ts'
import * as checks from '../settings/checks.ts'
import { useShell } from '../shell/store.ts'
import { formErrors } from './form-errors.ts'
import { HeaderRows } from './HeaderRows.tsx'
import { SecretChoice } from './SecretChoice.tsx'
import type { SecretPlan } from './SecretChoice.tsx'
import { slugOf } from './slug.ts'

interface Props {
  /** Null: a new one. */
  readonly endpoint: Endpoint | null
  readonly onClose: () => void
}

/** Makes or changes an endpoint. */
export function EndpointForm({ endpoint, onClose }: Props) {
  const client = useClient()
  const integrations = useAuthorization((state) => state.integrations)
  const current = useIntegration()
  const [integrationId, setIntegrationId] = useState(endpoint?.integrationId ?? current?.id)
  const listener = useShell((state) => state.listener)
  const [name, setName] = useState(endpoint?.name ?? '')
  /** Null: made of the name. */
  const [slug, setSlug] = useState<string | null>(endpoint?.slug ?? null)
  const [applicationId, setApplicationId] = useState(endpoint?.applicationId ?? '')
  const [headers, setHeaders] = useState<readonly Header[]>(endpoint?.customHeaders ?? [])
  const [plan, setPlan] = useState<SecretPlan>({ way: 'none', secret: '' })
  const [tried, setTried] = useState(false)
  const path = slug ?? slugOf(name)
  const wrong = { name: checks.name(name.trim()), slug: checks.slug(path) }

  const save = useAction(async () => {
    const values = {
      name: name.trim(),
      slug: path,
      applicationId: applicationId.trim(),
      customHeaders: headers.filter(([header]) => header.trim() !== '').map(trimmed),
    }
    if (integrationId === undefined) return
    if (endpoint) {
      await client.call('endpoints.update', { id: endpoint.id, integrationId, ...values })
    } else {
      const made = await client.call('endpoints.create', {
        ...values,
        integrationId,
        ...(plan.way === 'enter' ? { secret: plan.secret } : {}),
      })
      if (plan.way === 'generate') await client.call('endpoints.rotateSecret', { id: made.id })
      // Once the dialog has closed: it keeps the page from scrolling.
      requestAnimationFrame(() =>
        document.getElementById(`endpoint-${made.id}`)?.scrollIntoView({ block: 'nearest' }),
      )
    }
    onClose()
  })
  const refused = formErrors(save.error)
  const origin = listener.state === 'listening' ? listener.origin : ''

  return (
    <Dialog open onClose={onClose} title={endpoint ? 'Edit endpoint' : 'New endpoint'}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (wrong.name === null && wrong.slug === null) save.start()
        }}
      >
        <Field
          label="Name"
          value={name}
          error={(tried ? wrong.name : null) ?? refused.name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Slug"
          data-mono
          value={path}
          hint={`${origin}/hooks/${path || '…'}`}
          error={(tried || slug !== null ? wrong.slug : null) ?? refused.slug}
          onChange={(event) => setSlug(event.target.value)}
        />
        {integrations.length > 1 && (
          <SelectField
            label="Integration"
            hint="Whose webhook it is: its brand names the headers."
            value={integrationId}
            onChange={(event) => setIntegrationId(Number(event.target.value))}
          >
            {integrations.map(({ id, name }) => (
              <option key={id} value={id}>
                {visible(cut(name, 80))}
              </option>
            ))}
          </SelectField>
        )}
        {endpoint === null && <SecretChoice plan={plan} onChange={setPlan} />}
        <Field
          label="Application ID"
          data-mono
          hint="As the dashboard shows it. The sandbox sends it too. Empty: any."
          maxLength={200}
          value={applicationId}
          onChange={(event) => setApplicationId(event.target.value)}
        />
        <HeaderRows legend="Custom headers" most={100} headers={headers} onChange={setHeaders} />
        {refused.whole !== undefined && (
          <p className="field-error" role="alert">
            {refused.whole}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.busy}>
            {endpoint ? 'Save' : 'Create'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function trimmed([name, value]: Header): Header {
  return [name.trim(), value.trim()]
}
