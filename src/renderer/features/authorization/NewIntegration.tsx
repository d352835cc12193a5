import { useState } from 'react'
import { headerName } from '#catalogue/headers.ts'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useClient } from '../../platform/use-client.ts'
import * as checks from '../../platform/field-checks.ts'
import { setupAddress } from '../../routes/authorization.ts'
import { selectIntegration } from '../../state/authorization.ts'

/** Adds a client application. Only its name is required. The rest can be entered later on the setup page. */
export function NewIntegration({ onClose }: { readonly onClose: () => void }) {
  const client = useClient()
  const [name, setName] = useState('')
  const [brand, setBrand] = useState('Service')
  const [baseUrl, setBaseUrl] = useState('')
  const [accessId, setAccessId] = useState('')
  const [accessSecret, setAccessSecret] = useState('')
  const [redirectUrl, setRedirectUrl] = useState('')
  const errors = {
    name: checks.name(name.trim()),
    brand: checks.brand(brand.trim()),
    baseUrl: checks.baseUrl(baseUrl.trim()),
  }

  const form = useForm(errors, async () => {
    const created = await client.call('integrations.create', {
      name: name.trim(),
      brand: brand.trim(),
      baseUrl: baseUrl.trim(),
      accessId: accessId.trim(),
      // The secret and the redirect URL must match exactly, so neither is trimmed.
      ...(accessSecret === '' ? {} : { accessSecret }),
      redirectUrls: redirectUrl === '' ? [] : [redirectUrl],
      redirectUrl,
    })
    selectIntegration(created.id)
    onClose()
    location.assign(setupAddress)
  })

  return (
    <FormDialog
      onClose={onClose}
      title="New integration"
      description="One client application, as shown on the service’s integrations dashboard."
      action="Create"
      form={form}
    >
      <Field
        label="Name"
        placeholder="Pier 9 staging"
        value={name}
        error={form.shown.name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Brand"
        data-mono
        maxLength={40}
        hint={`The word in header names, as in ${headerName(brand.trim() || '…', 'signature')}.`}
        value={brand}
        error={form.shown.brand}
        onChange={(event) => setBrand(event.target.value)}
      />
      <Field
        label="Base URL"
        data-mono
        hint="The address before /manager/oauth. Optional, like the fields below. You can add it later."
        value={baseUrl}
        error={form.shown.baseUrl}
        onChange={(event) => setBaseUrl(event.target.value)}
      />
      <Field
        label="Access ID"
        data-mono
        maxLength={1000}
        value={accessId}
        onChange={(event) => setAccessId(event.target.value)}
      />
      <SecretField
        label="Access secret"
        maxLength={4000}
        value={accessSecret}
        onValue={setAccessSecret}
      />
      <Field
        label="Redirect URL"
        data-mono
        hint="Exactly as listed on the dashboard."
        maxLength={2000}
        value={redirectUrl}
        onChange={(event) => setRedirectUrl(event.target.value)}
      />
    </FormDialog>
  )
}
