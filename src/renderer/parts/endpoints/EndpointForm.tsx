import { useState } from 'react'
import type { Endpoint, Header } from '#contract/models.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { Field, SelectField } from '#kit/Field.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { headerName } from '#catalogue/headers.ts'
import { useAuthorization, useIntegration } from '#client/state/authorization.ts'
import * as checks from '#kit/field-checks.ts'
import { useShell } from '#client/state/app.ts'
import { HeaderRows } from '#parts/exchange/HeaderRows.tsx'
import { CallError } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { SecretField } from '#kit/SecretField.tsx'
import { Segments } from '#kit/Switch.tsx'
import { useForm } from '#kit/use-form.ts'
import { ErrorText } from '#kit/Note.tsx'

interface SecretPlan {
  readonly mode: 'none' | 'enter' | 'generate'
  readonly secret: string
}

interface SecretChoiceProps {
  readonly plan: SecretPlan
  readonly onChange: (plan: SecretPlan) => void
}

const secretOptions = [
  { value: 'none', label: 'None yet' },
  { value: 'enter', label: 'Enter' },
  { value: 'generate', label: 'Generate' },
] as const

function SecretChoice({ plan, onChange }: SecretChoiceProps) {
  return (
    <div className="field">
      <span className="text-s font-semibold text-mid">Secret</span>
      <div>
        <Segments
          label="Secret of the new endpoint"
          value={plan.mode}
          options={secretOptions}
          onChange={(mode) => onChange({ ...plan, mode })}
        />
      </div>
      {plan.mode === 'enter' && (
        <SecretField
          label="Secret from the dashboard"
          maxLength={1000}
          value={plan.secret}
          onValue={(secret) => onChange({ ...plan, secret })}
        />
      )}
    </div>
  )
}

const maxSlugLength = 63

/** Derives a slug from a name: "POS hook 2" becomes "pos-hook-2". May be empty. */
function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
}

interface Props {
  /** Null for a new endpoint. */
  readonly endpoint: Endpoint | null
  readonly onClose: () => void
}

export function EndpointForm({ endpoint, onClose }: Props) {
  const client = useClient()
  const integrations = useAuthorization((state) => state.integrations)
  const current = useIntegration()
  const [integrationId, setIntegrationId] = useState(
    () =>
      endpoint?.integrationId ??
      (current?.kind === 'sandbox' ? integrations.find(({ kind }) => kind !== 'sandbox') : null)
        ?.id ??
      current?.id,
  )
  const listener = useShell((state) => state.listener)
  const [name, setName] = useState(endpoint?.name ?? '')
  /** Null if derived from the name. */
  const [slug, setSlug] = useState<string | null>(endpoint?.slug ?? null)
  const [applicationId, setApplicationId] = useState(endpoint?.applicationId ?? '')
  const [headers, setHeaders] = useState<readonly Header[]>(endpoint?.customHeaders ?? [])
  const [plan, setPlan] = useState<SecretPlan>({ mode: 'none', secret: '' })
  const integration = integrations.find(({ id }) => id === integrationId)
  /** Null if unchanged. */
  const [brandDraft, setBrandDraft] = useState<string | null>(null)
  const brand = (brandDraft ?? integration?.brand ?? '').trim()
  const path = slug ?? slugOf(name)
  const errors = {
    name: checks.name(name.trim()),
    slug: checks.slug(path),
    brand: checks.brand(brand),
  }

  const form = useForm(errors, async () => {
    const values = {
      name: name.trim(),
      slug: path,
      applicationId: applicationId.trim(),
      customHeaders: headers.filter(([header]) => header.trim() !== '').map(trimmed),
    }
    if (integrationId === undefined) return
    if (brand !== integration?.brand) {
      await client.call('integrations.update', { id: integrationId, brand })
    }
    if (endpoint) {
      await client.call('endpoints.update', { id: endpoint.id, integrationId, ...values })
    } else {
      const created = await client.call('endpoints.create', {
        ...values,
        integrationId,
        ...(plan.mode === 'enter' ? { secret: plan.secret } : {}),
      })
      if (plan.mode === 'generate') await client.call('endpoints.rotateSecret', { id: created.id })
      // After the dialog has closed, since it blocks scrolling.
      requestAnimationFrame(() =>
        document.getElementById(`endpoint-${created.id}`)?.scrollIntoView({ block: 'nearest' }),
      )
    }
    onClose()
  })
  const serverErrors = formErrors(form.error)
  const origin = listener.state === 'listening' ? listener.origin : ''

  return (
    <FormDialog
      // Errors are shown at their fields or below them.
      form={{ ...form, error: null }}
      onClose={onClose}
      title={endpoint ? 'Edit endpoint' : 'New endpoint'}
      action={endpoint ? 'Save' : 'Create'}
    >
      <Field
        label="Name"
        value={name}
        error={form.shown.name ?? serverErrors.name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Last part of the URL"
        data-mono
        value={path}
        hint={`${origin}/hooks/${path || '…'}`}
        error={(slug === null ? form.shown.slug : errors.slug) ?? serverErrors.slug}
        onChange={(event) => setSlug(event.target.value)}
      />
      {integrations.length > 1 && (
        <SelectField
          label="Integration"
          value={integrationId}
          onChange={(event) => {
            setIntegrationId(Number(event.target.value))
            setBrandDraft(null)
          }}
        >
          {integrations.map(({ id, name }) => (
            <option key={id} value={id}>
              {shortText(name, 80)}
            </option>
          ))}
        </SelectField>
      )}
      <Field
        label="Brand"
        data-mono
        maxLength={40}
        hint={`The word in header names, as in ${headerName(brand || '…', 'signature')}. It applies to all endpoints of the integration.`}
        value={brandDraft ?? integration?.brand ?? ''}
        error={form.shown.brand}
        onChange={(event) => setBrandDraft(event.target.value)}
      />
      {endpoint === null && <SecretChoice plan={plan} onChange={setPlan} />}
      <Field
        label="Application ID"
        data-mono
        hint="As shown on the dashboard. The sandbox sends it too. Leave empty to accept any."
        maxLength={200}
        value={applicationId}
        onChange={(event) => setApplicationId(event.target.value)}
      />
      <HeaderRows legend="Custom headers" maximum={100} headers={headers} onChange={setHeaders} />
      <ErrorText error={serverErrors.form} />
    </FormDialog>
  )
}

function trimmed([name, value]: Header): Header {
  return [name.trim(), value.trim()]
}

interface FormErrors {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  /** An error that belongs to no field. */
  readonly form?: string | undefined
}

function formErrors(error: unknown): FormErrors {
  if (error === null) return {}
  const words = messageOf(error)
  if (!(error instanceof CallError)) return { form: words }
  if (error.code === 'path_taken') return { slug: words }
  const place = JSON.stringify(error.details ?? '')
  if (error.code === 'bad_input' && place.includes('slug')) return { slug: words }
  if (error.code === 'bad_input' && place.includes('name')) return { name: words }
  return { form: words }
}
