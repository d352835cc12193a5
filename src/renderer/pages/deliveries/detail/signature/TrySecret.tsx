import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { Delivery } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { ErrorText } from '#kit/Note.tsx'
import { SecretField } from '#kit/SecretField.tsx'
import { Shown } from '#kit/Shown.tsx'
import { messageOf, useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { changeSecret } from '#client/state/recheck-signatures.ts'
import { candidateLabels } from './conclusion.ts'

type Tried = Pick<Delivery, 'id' | 'endpointId'>

/** Tries a secret without storing it, shows the result, and saves one that matches. The input is discarded when the tab is left. */
export function TrySecret({ delivery }: { readonly delivery: Tried }) {
  const { id, endpointId } = delivery
  const client = useClient()
  const log = useLog()
  const [candidate, setCandidate] = useState('')
  const [result, setResult] = useState<Diagnosis | null>(null)
  const { start, busy, error, reset } = useAction(async () => {
    setResult(null)
    setResult(await client.call('deliveries.diagnose', { id, log, candidate }))
  })
  // The endpoint of a log is not stored here, so its secret cannot be saved.
  const editable = useEditable()
  return (
    <form
      className="plain-card px-6 py-5 [&_input]:max-w-(--measure-menu)"
      aria-label="Try another secret"
      onSubmit={(event) => {
        event.preventDefault()
        if (candidate !== '' && !busy) start()
      }}
    >
      <SecretField
        label="Try another secret"
        autoComplete="new-password"
        maxLength={1000}
        value={candidate}
        onValue={(value) => {
          setCandidate(value)
          setResult(null)
          reset()
        }}
        hint="Tried on this delivery, both as entered and in common variations. It is neither stored nor logged."
        error={error === null ? null : messageOf(error)}
        after={
          <Button type="submit" busy={busy} disabled={candidate === ''}>
            Try secret
          </Button>
        }
      />
      <div role="status">{result && <Outcome diagnosis={result} />}</div>
      {result?.candidate === 'matches' && editable && endpointId !== null && (
        <SaveSecret endpointId={endpointId} secret={candidate} />
      )}
    </form>
  )
}

/** The current secret becomes the previous one, unless that is the one that verified deliveries. */
function SaveSecret(props: { readonly endpointId: number; readonly secret: string }) {
  const { endpointId: id, secret } = props
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

function Outcome({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { candidate, causes } = diagnosis
  if (candidate === null) return null
  const matches = candidate !== 'differs'
  const found = causes.find(
    ({ outcome, code }) => outcome === 'matches' && code === 'secret.candidate',
  )
  return (
    <p
      className="mt-4 grid grid-cols-auto-1 gap-4 rounded-md bg-tone-soft px-5 py-3 wrap-anywhere"
      data-tone={matches ? 'valid' : 'invalid'}
      data-testid="candidate"
    >
      {matches ? (
        <Icons.Check className="mt-2 text-tone" strokeWidth={3} />
      ) : (
        <Icons.X className="mt-2 text-tone" strokeWidth={3} />
      )}
      <span>
        <b>{candidateLabels[candidate]}</b>{' '}
        {candidate === 'matches_changed' && (
          <Shown text={found?.detail ?? 'the causes above describe the change.'} />
        )}
      </span>
    </p>
  )
}
