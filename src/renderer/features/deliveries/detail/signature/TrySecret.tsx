import { Check, X } from '../../../../ui/icons.tsx'
import { useState } from 'react'
import type { Diagnosis } from '#contract/deliveries.ts'
import { Grid } from '../../../../ui/Layout.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { messageOf } from '#renderer/platform/call-error.ts'
import { useAction, useClient } from '#renderer/platform/use-client.ts'
import { useEditable, useLog } from '../../../../state/scope.ts'
import { candidateLabels } from './conclusion.ts'

/** Tries a secret without storing it, and shows the result. The input is discarded when the tab is left. */
export function TrySecret({ id }: { readonly id: number }) {
  const client = useClient()
  const log = useLog()
  const [candidate, setCandidate] = useState('')
  const [result, setResult] = useState<Diagnosis | null>(null)
  const { start, busy, error, reset } = useAction(async () => {
    setResult(null)
    setResult(await client.call('deliveries.diagnose', { id, log, candidate }))
  })
  return (
    <form
      className="pad-y-5 pad-x-6 plain-card try-secret"
      aria-label="Try another secret"
      onSubmit={(event) => {
        event.preventDefault()
        if (candidate !== '' && !busy) start()
      }}
    >
      <Field
        label="Try another secret"
        type="password"
        autoComplete="new-password"
        maxLength={1000}
        value={candidate}
        onChange={({ target }) => {
          setCandidate(target.value)
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
    </form>
  )
}

function Outcome({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { candidate, causes } = diagnosis
  // The endpoint of a log is not stored here, so its secret cannot be saved.
  const editable = useEditable()
  if (candidate === null) return null
  const matches = candidate !== 'differs'
  const found = causes.find(
    ({ outcome, code }) => outcome === 'matches' && code === 'secret.candidate',
  )
  return (
    <Grid
      as="p"
      marginTop={4}
      columns="auto 1"
      gap={4}
      pad={[3, 5]}
      round="m"
      background="state"
      anywhere
      data-tone={matches ? 'valid' : 'invalid'}
      data-testid="candidate"
    >
      {matches ? (
        <Check className="margin-top-2 tone-state" aria-hidden strokeWidth={3} />
      ) : (
        <X className="margin-top-2 tone-state" aria-hidden strokeWidth={3} />
      )}
      <span>
        <b>{candidateLabels[candidate]}</b>{' '}
        {candidate === 'matches_changed' && (
          <Shown text={found?.detail ?? 'the causes above describe the change.'} />
        )}{' '}
        {matches && editable && (
          <>
            To save it, enter it under <a href="#/endpoints">Endpoints</a>.
          </>
        )}
      </span>
    </Grid>
  )
}
