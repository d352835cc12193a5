import { useState } from 'react'
import type { Endpoint, Header } from '#contract/models.ts'
import { Text } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useAuthorization, useIntegration } from '../../state/authorization.ts'
import * as checks from '../../platform/field-checks.ts'
import { useShell } from '../../state/app.ts'
import { HeaderRows } from '../../ui/HeaderRows.tsx'
import { CallError, sentence } from '../../platform/call-error.ts'
import { SecretField } from '../../ui/SecretField.tsx'
import { Segments } from '../../ui/Segments.tsx'

interface SecretPlan {
  readonly way: 'none' | 'enter' | 'generate'
  readonly secret: string
}

interface SecretChoiceProps {
  readonly plan: SecretPlan
  readonly onChange: (plan: SecretPlan) => void
}

const ways = [
  { value: 'none', label: 'None yet' },
  { value: 'enter', label: 'Enter one' },
  { value: 'generate', label: 'Generate one' },
] as const

/** Whether a new endpoint begins with a secret, and with which. */
function SecretChoice({ plan, onChange }: SecretChoiceProps) {
  return (
    <div className="field">
      <Text size="s" weight="semibold" tone="mid">
        Secret
      </Text>
      <div>
        <Segments
          label="Secret of the new endpoint"
          value={plan.way}
          options={ways}
          onChange={(way) => onChange({ ...plan, way })}
        />
      </div>
      {plan.way === 'enter' && (
        <SecretField
          label="Secret, as on the dashboard"
          maxLength={1000}
          value={plan.secret}
          onValue={(secret) => onChange({ ...plan, secret })}
        />
      )}
    </div>
  )
}

const longest = 63

/** A slug made of a name: "POS hook 2" becomes "pos-hook-2". May be empty. */
function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
}

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
        <HeaderRows legend="Custom headers" maximum={100} headers={headers} onChange={setHeaders} />
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

interface FormErrors {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  /** What belongs to no field. */
  readonly whole?: string | undefined
}

/** The refusal of the engine, beside the field that it is about. */
function formErrors(error: unknown): FormErrors {
  if (error === null) return {}
  const words = sentence(error)
  if (!(error instanceof CallError)) return { whole: words }
  if (error.code === 'path_taken') return { slug: words }
  const place = JSON.stringify(error.details ?? '')
  if (error.code === 'bad_input' && place.includes('slug')) return { slug: words }
  if (error.code === 'bad_input' && place.includes('name')) return { name: words }
  return { whole: words }
}
