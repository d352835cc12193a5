import type { TokenView } from '#contract/tokens.ts'
import { EndsIn, SecretValue } from '../../../components/SecretValue.tsx'
import { copyText } from '../../../platform/clipboard.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useReveal } from '../../../platform/use-reveal.ts'

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
      />
      {reveal.error !== null && (
        <span className="field-error" role="alert">
          {reveal.error}
        </span>
      )}
    </div>
  )
}
