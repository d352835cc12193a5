import { useState } from 'react'
import type { Endpoint } from '#contract/models.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { recheckSignatures } from '../../state/recheck-signatures.ts'
import { say } from '../../platform/toasts.ts'

interface Props {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

const longest = 1000
const ways = [
  { value: 'enter', label: 'Enter one' },
  { value: 'generate', label: 'Generate one' },
] as const

/** Sets or rotates the secret: entered as the dashboard has it, or a new random one. */
export function SecretDialog({ endpoint, onClose }: Props) {
  const client = useClient()
  const had = endpoint.secret.set && !endpoint.secret.unavailable
  const [way, setWay] = useState<'enter' | 'generate'>('enter')
  const [secret, setSecret] = useState('')
  const [keepPrevious, setKeepPrevious] = useState(had)
  const [tried, setTried] = useState(false)
  const refused = way === 'enter' ? check(secret) : null
  const rotate = useAction(async () => {
    await client.call('endpoints.rotateSecret', {
      id: endpoint.id,
      keepPrevious,
      ...(way === 'enter' ? { secret } : {}),
    })
    say(
      'valid',
      way === 'enter' ? 'Secret stored.' : 'A new secret is set. Reveal it to copy it.',
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
      title={had ? 'Rotate secret' : 'Set secret'}
      description="The service signs each body with it. Both sides must have the same."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (refused === null) rotate.start()
        }}
      >
        <Segments label="New secret" value={way} options={ways} onChange={setWay} />
        {way === 'enter' && (
          <SecretField
            label="Secret"
            hint="As it stands on the service’s dashboard."
            value={secret}
            error={tried ? refused : null}
            onValue={setSecret}
          />
        )}
        {had && (
          <label className="check">
            <input
              type="checkbox"
              checked={keepPrevious}
              onChange={(event) => setKeepPrevious(event.target.checked)}
            />
            <span>
              Keep the old secret as previous
              <small>Deliveries signed with it stay valid, and say so.</small>
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
            {way === 'generate' ? 'Generate' : 'Store secret'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function check(secret: string): string | null {
  if (secret === '') return 'Enter a secret.'
  return secret.length > longest ? `Use at most ${longest} characters.` : null
}
