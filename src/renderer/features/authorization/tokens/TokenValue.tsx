import { Eye, EyeOff } from 'lucide-react'
import type { TokenView } from '#contract/tokens.ts'
import { Button } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Shown } from '../../../components/Shown.tsx'
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
  const shown = reveal.secret !== null
  return (
    <div
      className="token-value"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) reveal.hide()
      }}
    >
      <span className="token-value-name">{name}</span>
      {reveal.secret === null ? (
        <span className="mono dim">
          ••••••••{which === 'access' && <Shown text={token.ending ?? ''} />}
        </span>
      ) : (
        <>
          <code className="mono selectable secret-shown">
            <Shown text={reveal.secret} />
          </code>
          <CopyButton text={reveal.secret} label={`Copy ${name.toLowerCase()}`} copy={copyText} />
        </>
      )}
      <Button
        kind="quiet"
        busy={reveal.busy}
        aria-label={`${shown ? 'Hide' : 'Reveal'} ${name.toLowerCase()}`}
        icon={shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        onClick={() => (shown ? reveal.hide() : reveal.show())}
      >
        {shown ? 'Hide' : 'Reveal'}
      </Button>
      {reveal.error !== null && (
        <span className="field-error" role="alert">
          {reveal.error}
        </span>
      )}
    </div>
  )
}
