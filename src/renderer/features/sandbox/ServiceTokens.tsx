import { useState } from 'react'
import type { SandboxService } from '#contract/sandbox-service.ts'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Field } from '../../components/Field.tsx'
import { Note } from '../../components/Note.tsx'
import { counted } from '../../components/text/numbers.ts'
import { span } from '../../components/text/time.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { wholeNumber } from '../settings/checks.ts'
import { say } from '../shell/toasts.ts'
import { useSandbox } from './store.ts'

const longest = 10 * 86_400
/** SPEC, "Limits". */
const asDocumented = 86_400
const presets = [
  { seconds: 60, label: '1 min' },
  { seconds: 3600, label: '1 h' },
  { seconds: 86_400, label: '24 h' },
] as const

/** How long its tokens live, how many do, and what can happen to them. */
export function ServiceTokens({ service }: { readonly service: SandboxService }) {
  const client = useClient()
  const [written, setWritten] = useState<string | null>(null)
  const [revoking, setRevoking] = useState(false)
  const lifetime = useAction(async (tokenLifetime: number) => {
    useSandbox.setState({
      service: await client.call('sandboxService.configure', { tokenLifetime }),
    })
    setWritten(null)
  })
  const expire = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.expireTokens', {}) })
    say('valid', 'Every token has expired. The next call with one meets 401 and can refresh it.')
  })
  const revoke = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.revokeTokens', {}) })
    setRevoking(false)
    say('valid', 'Every token is revoked. The next call with one meets 401.')
  })
  const refused = written === null ? null : wholeNumber(written, 1, longest)
  const failure = lifetime.error ?? expire.error

  function store(): void {
    if (written === null || refused !== null) return
    if (Number(written) === service.tokenLifetime) setWritten(null)
    else lifetime.start(Number(written))
  }

  return (
    <div className="service-tokens">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <Field
          label="New tokens live for"
          className="field-short"
          inputMode="numeric"
          value={written ?? String(service.tokenLifetime)}
          error={refused}
          hint={
            service.tokenLifetime === asDocumented
              ? '24 hours, as in the service’s document.'
              : `${span(service.tokenLifetime * 1000)}. In the service’s document it is 24 hours.`
          }
          after={
            <>
              <span className="field-unit">seconds</span>
              <span className="service-presets">
                {presets.map(({ seconds, label }) => (
                  <Button
                    key={seconds}
                    kind="quiet"
                    aria-pressed={service.tokenLifetime === seconds}
                    onClick={() => {
                      setWritten(null)
                      lifetime.start(seconds)
                    }}
                  >
                    {label}
                  </Button>
                ))}
              </span>
            </>
          }
          onChange={(event) => setWritten(event.target.value)}
          onBlur={store}
        />
      </form>
      <div className="service-alive">
        <span>
          <b>{counted(service.tokens, 'token', 'tokens')}</b> alive
        </span>
        <Button busy={expire.busy} disabled={service.tokens === 0} onClick={() => expire.start()}>
          Expire all now
        </Button>
        <Button kind="danger" disabled={service.tokens === 0} onClick={() => setRevoking(true)}>
          Revoke all
        </Button>
      </div>
      {failure !== null && (
        <Note tone="invalid" alert>
          {sentence(failure)}
        </Note>
      )}
      <Confirm
        open={revoking}
        onClose={() => {
          setRevoking(false)
          revoke.reset()
        }}
        title="Revoke every token of the sandbox?"
        description="Access and refresh tokens alike: each user has to approve again."
        action="Revoke all"
        busy={revoke.busy}
        error={revoke.error === null ? null : sentence(revoke.error)}
        onConfirm={() => revoke.start()}
      />
    </div>
  )
}
