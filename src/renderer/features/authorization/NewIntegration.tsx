import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { SecretField } from '../../components/SecretField.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import * as checks from '../settings/checks.ts'
import { setupAddress } from './address.ts'
import { chooseIntegration } from './store.ts'

interface Props {
  readonly onClose: () => void
}

/** Another client application. Only its name must be known; the rest can follow on the setup page. */
export function NewIntegration({ onClose }: Props) {
  const client = useClient()
  const [name, setName] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [accessId, setAccessId] = useState('')
  const [accessSecret, setAccessSecret] = useState('')
  const [redirectUrl, setRedirectUrl] = useState('')
  const [tried, setTried] = useState(false)
  const wrong = { name: checks.name(name.trim()), baseUrl: checks.baseUrl(baseUrl.trim()) }

  const create = useAction(async () => {
    const made = await client.call('integrations.create', {
      name: name.trim(),
      baseUrl: baseUrl.trim(),
      accessId: accessId.trim(),
      // To the byte: neither secret nor redirect URL is trimmed.
      ...(accessSecret === '' ? {} : { accessSecret }),
      redirectUrls: redirectUrl === '' ? [] : [redirectUrl],
      redirectUrl,
    })
    chooseIntegration(made.id)
    onClose()
    location.assign(setupAddress)
  })

  return (
    <Dialog
      open
      onClose={onClose}
      title="New integration"
      description="One client application, as the service’s integrations dashboard shows it."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (wrong.name === null && wrong.baseUrl === null) create.start()
        }}
      >
        <Field
          label="Name"
          placeholder="Pier 9 staging"
          value={name}
          error={tried ? wrong.name : null}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Base URL"
          data-mono
          hint="Where the service is: what stands before /manager/oauth. May follow later, as all below."
          value={baseUrl}
          error={tried ? wrong.baseUrl : null}
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
          hint="Exactly as it is listed on the dashboard."
          maxLength={2000}
          value={redirectUrl}
          onChange={(event) => setRedirectUrl(event.target.value)}
        />
        {create.error !== null && (
          <p className="field-error" role="alert">
            {sentence(create.error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.busy}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
