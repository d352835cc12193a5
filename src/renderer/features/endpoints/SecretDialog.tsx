import { useState } from 'react'
import type { Endpoint } from '#contract/models.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
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
  const [submitted, setSubmitted] = useState(false)
  const invalidReason = mode === 'enter' ? check(secret) : null
  const rotate = useAction(async () => {
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
    <Dialog
      open
      onClose={onClose}
      title={hasSecret ? 'Rotate secret' : 'Set secret'}
      description="The service signs each body with this secret. Both sides must use the same secret."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
          if (invalidReason === null) rotate.start()
        }}
      >
        <Segments label="New secret" value={mode} options={options} onChange={setMode} />
        {mode === 'enter' && (
          <SecretField
            label="Secret"
            hint="As shown on the service’s dashboard."
            value={secret}
            error={submitted ? invalidReason : null}
            onValue={setSecret}
          />
        )}
        {hasSecret && (
          <label className="check">
            <input
              type="checkbox"
              checked={keepPrevious}
              onChange={(event) => setKeepPrevious(event.target.checked)}
            />
            <span>
              Keep the old secret as previous secret
              <small>Deliveries signed with it stay valid and show which secret matched.</small>
            </span>
          </label>
        )}
        {rotate.error !== null && (
          <p className="field-error" role="alert">
            {sentence(rotate.error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={rotate.busy}>
            {mode === 'generate' ? 'Generate' : 'Save secret'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function check(secret: string): string | null {
  if (secret === '') return 'Enter a secret.'
  return secret.length > maxLength ? `Use at most ${maxLength} characters.` : null
}
