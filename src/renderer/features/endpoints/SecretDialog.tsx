import { useState } from 'react'
import type { Endpoint } from '#contract/models.ts'
import { FormDialog } from '../../ui/Dialog.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ErrorText } from '../../ui/Failure.tsx'
import { CheckField } from '../../ui/Field.tsx'
import { useClient } from '../../platform/use-client.ts'
import { recheckSignatures } from '../../state/recheck-signatures.ts'
import { toast } from '../../platform/toasts.ts'

interface Props {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

const maxLength = 1000
const options = [
  { value: 'enter', label: 'Enter' },
  { value: 'generate', label: 'Generate' },
] as const

/** The dialog that sets or rotates the secret: the one from the dashboard, or a new random one. */
export function SecretDialog({ endpoint, onClose }: Props) {
  const client = useClient()
  const hasSecret = endpoint.secret.set && !endpoint.secret.unavailable
  const [mode, setMode] = useState<'enter' | 'generate'>('enter')
  const [secret, setSecret] = useState('')
  const [keepPrevious, setKeepPrevious] = useState(hasSecret)
  const errors = { secret: mode === 'enter' ? check(secret) : null }
  const form = useForm(errors, async () => {
    await client.call('endpoints.rotateSecret', {
      id: endpoint.id,
      keepPrevious,
      ...(mode === 'enter' ? { secret } : {}),
    })
    toast(
      'valid',
      mode === 'enter' ? 'Secret saved.' : 'New secret generated. Reveal it to copy it.',
      {
        action: {
          label: 'Check deliveries again',
          run: () => void recheckSignatures(client, { filter: `endpoint:${endpoint.slug}` }),
        },
      },
    )
    onClose()
  })

  return (
    <FormDialog
      // The error is shown as that of a field.
      form={{ ...form, error: null }}
      onClose={onClose}
      action={mode === 'generate' ? 'Generate' : 'Save secret'}
      title={hasSecret ? 'Rotate secret' : 'Set secret'}
      description="The service signs each body with this secret. Both sides must use the same secret."
    >
      <Segments label="New secret" value={mode} options={options} onChange={setMode} />
      {mode === 'enter' && (
        <SecretField
          label="Secret"
          hint="As shown on the service’s dashboard."
          value={secret}
          error={form.shown.secret ?? null}
          onValue={setSecret}
        />
      )}
      {hasSecret && (
        <CheckField
          label="Keep the old secret as previous secret"
          note="Deliveries signed with it stay valid and show which secret matched."
          checked={keepPrevious}
          onChange={setKeepPrevious}
        />
      )}
      <ErrorText error={form.error} />
    </FormDialog>
  )
}

function check(secret: string): string | null {
  if (secret === '') return 'Enter a secret.'
  return secret.length > maxLength ? `Use at most ${maxLength} characters.` : null
}
