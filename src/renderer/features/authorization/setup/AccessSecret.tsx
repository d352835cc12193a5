import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { Button } from '../../../components/Button.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { SecretField } from '../../../components/SecretField.tsx'
import { Note } from '../../../components/Note.tsx'
import { EndsIn, SecretValue } from '../../../components/SecretValue.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useReveal } from '../../../platform/use-reveal.ts'
import { useShell } from '../../shell/store.ts'
import { say } from '../../shell/toasts.ts'

interface Props {
  readonly integration: Integration
}

/** The access secret: written, replaced, cleared, and shown only on a click, for 30 s at most. */
export function AccessSecret({ integration }: Props) {
  const client = useClient()
  const { id, accessSecret, kind } = integration
  const [dialog, setDialog] = useState<'set' | 'clear' | null>(null)
  const reveal = useReveal(async () => {
    const { secret } = await client.call('integrations.revealAccessSecret', { id })
    return secret
  })
  const clear = useAction(async () => {
    await client.call('integrations.clearAccessSecret', { id })
    setDialog(null)
  })
  const locked = useShell((state) => state.secretsLocked)
  const own = kind === 'sandbox'
  return (
    <div className="field" role="group" aria-label="Access secret">
      <span className="field-title">Access secret</span>
      <div className="access-secret" onBlur={reveal.leave}>
        <SecretValue
          name="Access secret"
          secret={reveal.secret}
          hidden={
            !accessSecret.set ? (
              'not set'
            ) : accessSecret.unavailable ? (
              'cannot be read'
            ) : (
              <EndsIn ending={accessSecret.ending} />
            )
          }
          readable={accessSecret.set && !accessSecret.unavailable}
          busy={reveal.busy}
          onReveal={() => reveal.show()}
          onHide={reveal.hide}
          copy={copyText}
        />
        {!own && (
          <span className="access-secret-actions">
            {accessSecret.set && (
              <Button kind="quiet" onClick={() => setDialog('clear')}>
                Clear
              </Button>
            )}
            <Button icon={<KeyRound aria-hidden />} onClick={() => setDialog('set')}>
              {accessSecret.set ? 'Replace' : 'Set access secret'}
            </Button>
          </span>
        )}
      </div>
      {reveal.error !== null && (
        <p className="field-error" role="alert">
          {reveal.error}
        </p>
      )}
      {accessSecret.unavailable && (
        <Note tone="missing">
          {locked
            ? 'Unlock your system’s keyring to use it.'
            : 'It is stored but cannot be read on this machine. Enter it again.'}
        </Note>
      )}
      <p className="field-hint">The document calls it api_access_secret. It is kept sealed.</p>
      {dialog === 'set' && <SetSecret integration={integration} onClose={() => setDialog(null)} />}
      <Confirm
        open={dialog === 'clear'}
        onClose={() => {
          setDialog(null)
          clear.reset()
        }}
        title="Clear the access secret?"
        description="It is forgotten here. Until it is entered again, no code can be exchanged for a token."
        action="Clear access secret"
        busy={clear.busy}
        error={clear.error === null ? null : sentence(clear.error)}
        onConfirm={() => clear.start()}
      />
    </div>
  )
}

function SetSecret({ integration, onClose }: Props & { readonly onClose: () => void }) {
  const client = useClient()
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const store = useAction(async () => {
    await client.call('integrations.setAccessSecret', { id: integration.id, secret })
    say('valid', 'Access secret stored.')
    onClose()
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={integration.accessSecret.set ? 'Replace the access secret' : 'Set the access secret'}
      description="It goes to the service with each code, and nowhere else."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (secret !== '') store.start()
        }}
      >
        <SecretField
          label="Access secret"
          hint="As it stands on the service’s integrations dashboard."
          maxLength={4000}
          value={secret}
          error={tried && secret === '' ? 'Enter the access secret.' : null}
          onValue={setSecret}
        />
        {store.error !== null && (
          <p className="field-error" role="alert">
            {sentence(store.error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={store.busy}>
            Store access secret
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
