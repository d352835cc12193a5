import { useState } from 'react'
import type { Endpoint } from '#contract/models.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { SecretField } from '#kit/SecretField.tsx'
import { Segments } from '#kit/Switch.tsx'
import { useForm } from '#kit/use-form.ts'
import { ErrorText } from '#kit/Note.tsx'
import { CheckField } from '#kit/Field.tsx'
import { useClient } from '#client/use-client.ts'
import { changeSecret } from '#client/state/recheck-signatures.ts'

const maxLength = 1000

const actions = [
  { value: 'rotate', label: 'Rotate' },
  { value: 'correct', label: 'Correct' },
] as const
const options = [
  { value: 'enter', label: 'Enter' },
  { value: 'generate', label: 'Generate' },
] as const

/** The dialog that sets, corrects or rotates the secret: the one from the dashboard, or a new random one. */
export function SecretDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const client = useClient()
  const { id } = endpoint
  const hasSecret = endpoint.secret.set && !endpoint.secret.unavailable
  const [action, setAction] = useState<'rotate' | 'correct'>(
    endpoint.secret.whiteSpaceAtEnds ? 'correct' : 'rotate',
  )
  const [source, setSource] = useState<'enter' | 'generate'>('enter')
  const [secret, setSecret] = useState('')
  const [keepPrevious, setKeepPrevious] = useState(hasSecret)
  const isCorrection = hasSecret && action === 'correct'
  const isEntered = isCorrection || source === 'enter'
  const errors = { secret: isEntered ? check(secret) : null }
  const form = useForm(errors, async () => {
    await changeSecret(
      client,
      () =>
        isCorrection
          ? client.call('endpoints.correctSecret', { id, secret })
          : client.call('endpoints.rotateSecret', {
              id,
              keepPrevious,
              ...(isEntered ? { secret } : {}),
            }),
      isCorrection
        ? 'Secret corrected.'
        : isEntered
          ? 'Secret saved.'
          : 'New secret generated. Reveal it to copy it.',
    )
    onClose()
  })

  return (
    <FormDialog
      // The error is shown as that of a field.
      form={{ ...form, error: null }}
      onClose={onClose}
      action={
        isCorrection
          ? 'Correct secret'
          : !isEntered
            ? 'Generate'
            : hasSecret
              ? 'Rotate secret'
              : 'Save secret'
      }
      title={hasSecret ? 'Change secret' : 'Set secret'}
      description="The service signs each body with this secret. Both sides must use the same secret."
    >
      {hasSecret && (
        <div className="grid gap-2">
          <Segments label="What to do" value={action} options={actions} onChange={setAction} />
          <p className="text-s text-mid">
            {isCorrection
              ? 'The secret was entered wrong here. It is replaced, and the previous secret stays as it is.'
              : 'The dashboard has a new secret. The one that verified deliveries until now becomes the previous secret.'}
          </p>
        </div>
      )}
      {!isCorrection && (
        <Segments label="New secret" value={source} options={options} onChange={setSource} />
      )}
      {isEntered && (
        <SecretField
          label="Secret"
          hint="As shown on the service’s dashboard."
          value={secret}
          error={form.shown.secret ?? null}
          onValue={setSecret}
        />
      )}
      {hasSecret && !isCorrection && (
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
