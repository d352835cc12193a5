import { KeyRound, RotateCcwKey } from 'lucide-react'
import { useState } from 'react'
import type { Endpoint, SecretView } from '#contract/models.ts'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Note } from '../../components/Note.tsx'
import { EndsIn, SecretValue } from '../../components/SecretValue.tsx'
import { sentence } from '../../platform/call-error.ts'
import { copyText } from '../../platform/clipboard.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useReveal } from '../../platform/use-reveal.ts'
import { useShell } from '../shell/store.ts'
import { SecretDialog } from './SecretDialog.tsx'

/** The secrets of an endpoint: hidden until asked for, and hidden again soon. */
export function SecretCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useClient()
  const [dialog, setDialog] = useState<'rotate' | 'clear' | null>(null)
  const clear = useAction(async () => {
    await client.call('endpoints.clearSecret', { id: endpoint.id })
    setDialog(null)
  })
  const locked = useShell((state) => state.secretsLocked)
  const { secret, previousSecret } = endpoint
  return (
    <div className="secrets">
      <div className="secret-actions">
        <Button
          icon={secret.set ? <RotateCcwKey aria-hidden /> : <KeyRound aria-hidden />}
          onClick={() => setDialog('rotate')}
        >
          {secret.unavailable ? 'Enter secret' : secret.set ? 'Rotate secret' : 'Set secret'}
        </Button>
        {(secret.set || previousSecret.set) && (
          <Button kind="quiet" onClick={() => setDialog('clear')}>
            Clear secret
          </Button>
        )}
      </div>
      {secret.set ? (
        <SecretLine endpoint={endpoint} which="current" view={secret} />
      ) : (
        <p className="secret-line">
          <span className="secret-name">Secret</span>
          <span className="dim">none set: deliveries are unsigned</span>
        </p>
      )}
      {previousSecret.set && (
        <SecretLine endpoint={endpoint} which="previous" view={previousSecret} />
      )}
      {secret.whiteSpaceAtEnds && (
        <Note tone="missing">
          The secret begins or ends with white space, which is rarely part of it. If signatures do
          not match, rotate it to the same value without the white space.
        </Note>
      )}
      {(secret.unavailable || previousSecret.unavailable) && (
        <Note tone="missing">
          {locked
            ? 'Unlock your system’s keyring to use the secret. No delivery is lost.'
            : 'A secret is stored but cannot be read on this machine. Enter it again; no delivery is lost.'}
        </Note>
      )}
      {dialog === 'rotate' && <SecretDialog endpoint={endpoint} onClose={() => setDialog(null)} />}
      <Confirm
        open={dialog === 'clear'}
        onClose={() => {
          setDialog(null)
          clear.reset()
        }}
        title="Clear the secret?"
        description="The current and the previous secret are forgotten. Deliveries are then unsigned: nothing shows who sent them."
        action="Clear secret"
        busy={clear.busy}
        error={clear.error === null ? null : sentence(clear.error)}
        onConfirm={() => clear.start()}
      />
    </div>
  )
}

interface LineProps {
  readonly endpoint: Endpoint
  readonly which: 'current' | 'previous'
  readonly view: SecretView
}

function SecretLine({ endpoint, which, view }: LineProps) {
  const client = useClient()
  const reveal = useReveal(async () => {
    const { secret } = await client.call('endpoints.revealSecret', { id: endpoint.id, which })
    return secret
  })
  const name = which === 'current' ? 'Secret' : 'Previous secret'
  return (
    <div className="secret-line" onBlur={reveal.leave}>
      <span className="secret-name">{name}</span>
      <SecretValue
        name={name}
        secret={reveal.secret}
        hidden={view.unavailable ? 'cannot be read' : <EndsIn ending={view.ending} />}
        readable={!view.unavailable}
        busy={reveal.busy}
        onReveal={() => reveal.show()}
        onHide={reveal.hide}
        copy={copyText}
      />
      {reveal.error !== null && (
        <span className="field-error" role="alert">
          {reveal.error}
        </span>
      )}
    </div>
  )
}
