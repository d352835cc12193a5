import { useState } from 'react'
import type { Diagnosis } from '#contract/deliveries.ts'
import { messageOf } from '#renderer/platform/call-error.ts'
import { useAction, useClient } from '#renderer/platform/use-client.ts'
import { useLog } from '../../../../state/scope.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { Stack } from '../../../../ui/Layout.tsx'
import { CauseCard } from './CauseCard.tsx'

/** Finds out what the user's handler did, from the digest that it computed. */
export function ComputedDigest({ id }: { readonly id: number }) {
  const client = useClient()
  const log = useLog()
  const [digest, setDigest] = useState('')
  const [result, setResult] = useState<Diagnosis['computed']>(null)
  const { start, busy, error, reset } = useAction(async () => {
    setResult(null)
    const found = await client.call('deliveries.diagnose', { id, log, computed: digest.trim() })
    setResult(found.computed)
  })
  return (
    <form
      className="pad-y-5 pad-x-6 plain-card"
      aria-label="Digest of your handler"
      onSubmit={(event) => {
        event.preventDefault()
        if (digest.trim() !== '' && !busy) start()
      }}
    >
      <Field
        label="Digest of your handler"
        value={digest}
        maxLength={1000}
        spellCheck={false}
        onChange={({ target }) => {
          setDigest(target.value)
          setResult(null)
          reset()
        }}
        hint="Log the digest that your handler computes, and enter it here to find out what it did."
        error={error === null ? null : messageOf(error)}
        after={
          <Button type="submit" busy={busy} disabled={digest.trim() === ''}>
            Explain
          </Button>
        }
      />
      <div role="status">
        {result && (
          <Stack gap={4} marginTop={4} data-testid="computed">
            <p className="selectable">
              <Shown text={result.conclusion} />
            </p>
            {result.causes.map((cause, index) => (
              <CauseCard
                key={cause.code}
                cause={cause}
                detailed={
                  result.causes.findIndex(({ detail }) => detail === cause.detail) === index
                }
              />
            ))}
          </Stack>
        )}
      </div>
    </form>
  )
}
