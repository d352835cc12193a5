import type { TokenView } from '#contract/tokens.ts'
import { EndsIn, SecretValue } from '../../../components/SecretValue.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { copyText, copyUnseen } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useReveal } from '../../../platform/use-reveal.ts'
import { say } from '../../shell/toasts.ts'

interface Props {
  readonly token: TokenView
  readonly which: 'access' | 'refresh'
}

/** A value of a token: hidden until asked for, and hidden again soon. */
export function TokenValue({ token, which }: Props) {
  const client = useClient()
  const reveal = useReveal(async () => {
    const { value } = await client.call('tokens.reveal', { id: token.id, which })
    return value
  })
  const name = which === 'access' ? 'Access token' : 'Refresh token'
  const copy = useAction(async () => {
    const of = { id: token.id, which }
    const { copied } = await client.call('tokens.copy', of)
    if (!copied) await copyUnseen(async () => (await client.call('tokens.reveal', of)).value)
    say('valid', `${name} copied. Whatever reads the clipboard can use it.`)
  })
  const failure = reveal.error ?? (copy.error === null ? null : sentence(copy.error))
  return (
    <div className="token-value" onBlur={reveal.leave}>
      <span className="token-value-name">{name}</span>
      <SecretValue
        name={name}
        secret={reveal.secret}
        hidden={<EndsIn ending={which === 'access' ? token.ending : null} />}
        readable
        busy={reveal.busy}
        onReveal={() => reveal.show()}
        onHide={reveal.hide}
        copy={copyText}
        onCopyHidden={() => copy.start()}
      />
      {failure !== null && (
        <span className="field-error" role="alert">
          {failure}
        </span>
      )}
    </div>
  )
}
