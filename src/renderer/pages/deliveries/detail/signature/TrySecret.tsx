import { Icons } from '#kit/icons.tsx'
import { useState, type ReactNode } from 'react'
import type { CallInput } from '#contract/calls.ts'
import { Field } from '#kit/Field.tsx'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { Delivery } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { ErrorText } from '#kit/Note.tsx'
import { SecretField } from '#kit/SecretField.tsx'
import { Prose } from '#kit/Shown.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { changeSecret } from '#client/state/recheck-signatures.ts'

interface TryProps {
  id: number
  label: string
  hint: string
  action: string
  isSecret?: boolean
  inputOf: (text: string) => Pick<CallInput<'deliveries.diagnose'>, 'candidate' | 'computed'>
  children: (found: Diagnosis, text: string) => ReactNode
}

/** A form that diagnoses a delivery with what the user enters, without storing it. The input is discarded when the tab is left. */
export function TryForm({ id, label, hint, action, isSecret, inputOf, children }: TryProps) {
  const client = useClient()
  const log = useLog()
  const [text, setText] = useState('')
  const [result, setResult] = useState<Diagnosis | null>(null)
  const { start, busy, message, reset } = useAction(async () => {
    setResult(null)
    setResult(await client.call('deliveries.diagnose', { id, log, ...inputOf(text) }))
  })
  const isEmpty = text.trim() === ''
  const change = (written: string): void => {
    setText(written)
    setResult(null)
    reset()
  }
  const field = {
    label,
    hint,
    value: text,
    maxLength: 1000,
    error: message,
    after: (
      <Button type="submit" busy={busy} disabled={isEmpty}>
        {action}
      </Button>
    ),
  }
  return (
    <form
      className="plain-card px-6 py-5 [&_input]:max-w-(--measure-menu)"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty && !busy) start()
      }}
    >
      {isSecret ? (
        <SecretField {...field} autoComplete="new-password" onValue={change} />
      ) : (
        <Field {...field} onChange={({ target }) => change(target.value)} />
      )}
      <div role="status">{result && children(result, text)}</div>
    </form>
  )
}

/** Tries a secret, shows the result, and saves one that matches. */
export function TrySecret({ delivery }: { delivery: Pick<Delivery, 'id' | 'endpointId'> }) {
  const { id, endpointId } = delivery
  // The endpoint of a log is not stored here, so its secret cannot be saved.
  const editable = useEditable()
  return (
    <TryForm
      id={id}
      label="Try another secret"
      hint="Tried on this delivery, both as entered and in common variations. It is neither stored nor logged."
      action="Try secret"
      isSecret
      inputOf={(candidate) => ({ candidate })}
    >
      {(diagnosis, secret) => (
        <>
          <Outcome diagnosis={diagnosis} />
          {diagnosis.candidate === 'matches' && editable && endpointId !== null && (
            <SaveSecret id={endpointId} secret={secret} />
          )}
        </>
      )}
    </TryForm>
  )
}

/** The current secret becomes the previous one, unless that is the one that verified deliveries. */
function SaveSecret({ id, secret }: { id: number; secret: string }) {
  const client = useClient()
  const save = useAction(async (which: 'current' | 'previous') =>
    changeSecret(
      client,
      () =>
        which === 'current'
          ? client.call('endpoints.rotateSecret', { id, secret })
          : client.call('endpoints.correctSecret', { id, which, secret }),
      `Saved as the ${which} secret.`,
    ),
  )
  return (
    <div className="mt-4 flex flex-wrap gap-3">
      <Button kind="primary" busy={save.busy} onClick={() => save.start('current')}>
        Save as current
      </Button>
      <Button busy={save.busy} onClick={() => save.start('previous')}>
        Save as previous
      </Button>
      <ErrorText error={save.error} />
    </div>
  )
}

const candidateLabels = {
  matches: 'This secret produces the received signature.',
  matches_changed: 'This secret produces the received signature after a change:',
  differs: 'This secret does not produce the received signature, with or without changes.',
} as const satisfies Record<NonNullable<Diagnosis['candidate']>, string>

function Outcome({ diagnosis }: { diagnosis: Diagnosis }) {
  const { candidate, causes } = diagnosis
  if (candidate === null) return null
  const matches = candidate !== 'differs'
  const Icon = matches ? Icons.Check : Icons.X
  const found = causes.find(
    ({ outcome, code }) => outcome === 'matches' && code === 'secret.candidate',
  )
  return (
    <p
      className="mt-4 grid grid-cols-auto-1 gap-4 rounded-md bg-tone-soft px-5 py-3 wrap-anywhere"
      data-tone={matches ? 'valid' : 'invalid'}
      data-testid="candidate"
    >
      <Icon className="mt-2 text-tone" strokeWidth={3} />
      <span>
        <b>{candidateLabels[candidate]}</b>{' '}
        {candidate === 'matches_changed' && (
          <Prose text={found?.detail ?? 'the causes above describe the change.'} />
        )}
      </span>
    </p>
  )
}
