import { useState } from 'react'
import type { Endpoint, Header } from '#contract/models.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { useAction, useClient } from '../../platform/use-client.ts'
import * as checks from '../settings/checks.ts'
import { useSettings } from '../settings/store.ts'
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
  const integrationId = useSettings((state) => state.integrations[0]?.id)
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
    if (endpoint) await client.call('endpoints.update', { id: endpoint.id, ...values })
    else if (integrationId !== undefined) {
      const made = await client.call('endpoints.create', {
        ...values,
        integrationId,
        ...(plan.way === 'enter' ? { secret: plan.secret } : {}),
      })
      if (plan.way === 'generate') await client.call('endpoints.rotateSecret', { id: made.id })
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
        {endpoint === null && <SecretChoice plan={plan} onChange={setPlan} />}
        <Field
          label="Application ID"
          data-mono
          hint="As the dashboard shows it. The sandbox sends it too. Empty: any."
          maxLength={200}
          value={applicationId}
          onChange={(event) => setApplicationId(event.target.value)}
        />
        <HeaderRows headers={headers} onChange={setHeaders} />
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
