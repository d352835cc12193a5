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
import { useDraft } from '#kit/use-draft.tsx'
import { ErrorText } from '#kit/Note.tsx'

const secretOptions = [
  { value: 'none', label: 'None yet' },
  { value: 'enter', label: 'Enter' },
  { value: 'generate', label: 'Generate' },
] as const

const maxSlugLength = 63

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
}

interface Draft extends Pick<Endpoint, 'integrationId' | 'name' | 'slug' | 'applicationId'> {
  /** Of the integration. */
  readonly brand: string
  readonly customHeaders: readonly Header[]
  readonly secretFrom: (typeof secretOptions)[number]['value']
  readonly secret: string
}

interface Props {
  /** Null for a new endpoint. */
  endpoint: Endpoint | null
  onClose: () => void
}

export function EndpointForm({ endpoint, onClose }: Props) {
  const client = useClient()
  const integrations = useAuthorization((state) => state.integrations)
  const current = useIntegration()
  const listener = useShell((state) => state.listener)
  const proposed =
    current?.kind === 'sandbox' ? integrations.find(({ kind }) => kind !== 'sandbox') : null
  const integrationId = endpoint?.integrationId ?? (proposed ?? current)?.id ?? 0
  const brandOf = (id: number): string =>
    integrations.find((integration) => integration.id === id)?.brand ?? ''
  const form = useDraft<Draft>(
    () => ({
      integrationId,
      name: endpoint?.name ?? '',
      slug: endpoint?.slug ?? '',
      brand: brandOf(integrationId),
      applicationId: endpoint?.applicationId ?? '',
      customHeaders: endpoint?.customHeaders ?? [],
      secretFrom: 'none',
      secret: '',
    }),
    ({ name, slug, brand }) => ({
      name: checks.name(name.trim()),
      slug: checks.slug(slug),
      brand: checks.brand(brand.trim()),
    }),
    async ({ secretFrom, secret, ...draft }) => {
      const values = {
        integrationId: draft.integrationId,
        name: draft.name.trim(),
        slug: draft.slug,
        applicationId: draft.applicationId.trim(),
        customHeaders: draft.customHeaders
          .filter(([name]) => name.trim() !== '')
          .map(([name, value]): Header => [name.trim(), value.trim()]),
      }
      const brand = draft.brand.trim()
      if (brand !== brandOf(draft.integrationId)) {
        await client.call('integrations.update', { id: draft.integrationId, brand })
      }
      if (endpoint) {
        await client.call('endpoints.update', { id: endpoint.id, ...values })
      } else {
        const { id } = await client.call('endpoints.create', {
          ...values,
          ...(secretFrom === 'enter' && { secret }),
        })
        if (secretFrom === 'generate') await client.call('endpoints.rotateSecret', { id })
        // After the dialog has closed, since it blocks scrolling.
        requestAnimationFrame(() =>
          document.getElementById(`endpoint-${id}`)?.scrollIntoView({ block: 'nearest' }),
        )
      }
      onClose()
    },
  )
  const { draft, set, shown, text, value } = form
  const serverErrors = formErrors(form.error)
  const origin = listener.state === 'listening' ? listener.origin : ''
  /** Until the user writes another one. */
  const isDerived = endpoint === null && draft.slug === slugOf(draft.name)

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
        value={draft.name}
        error={shown.name ?? serverErrors.name}
        onChange={({ target: { value: name } }) =>
          set({ name, ...(isDerived && { slug: slugOf(name) }) })
        }
      />
      <Field
        label="Last part of the URL"
        data-mono
        hint={`${origin}/hooks/${draft.slug || '…'}`}
        {...text('slug')}
        error={(isDerived ? shown.slug : checks.slug(draft.slug)) ?? serverErrors.slug}
      />
      {integrations.length > 1 && (
        <SelectField
          label="Integration"
          value={draft.integrationId}
          onChange={({ target }) => {
            const id = Number(target.value)
            set({ integrationId: id, brand: brandOf(id) })
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
        hint={`The word in header names, as in ${headerName(draft.brand.trim() || '…', 'signature')}. It applies to all endpoints of the integration.`}
        {...text('brand')}
      />
      {endpoint === null && (
        <div className="field">
          <span className="text-s font-semibold text-mid">Secret</span>
          <div>
            <Segments
              label="Secret of the new endpoint"
              options={secretOptions}
              {...value('secretFrom')}
            />
          </div>
          {draft.secretFrom === 'enter' && (
            <SecretField
              label="Secret from the dashboard"
              maxLength={1000}
              value={draft.secret}
              onValue={(secret) => set({ secret })}
            />
          )}
        </div>
      )}
      <Field
        label="Application ID"
        data-mono
        hint="As shown on the dashboard. The sandbox sends it too. Leave empty to accept any."
        maxLength={200}
        {...text('applicationId')}
      />
      <HeaderRows
        legend="Custom headers"
        maximum={100}
        headers={draft.customHeaders}
        onChange={(customHeaders) => set({ customHeaders })}
      />
      <ErrorText error={serverErrors.form} />
    </FormDialog>
  )
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
