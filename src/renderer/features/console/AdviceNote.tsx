import { BookOpenText, KeyRound, RefreshCw } from 'lucide-react'
import type { Advice } from '#contract/api.ts'
import { Button } from '../../components/Button.tsx'
import { addressOf } from '../authorization/address.ts'
import { Note } from '../../components/Note.tsx'

interface Props {
  readonly advice: Advice
  /** The token that went along; null: none did. */
  readonly tokenId: number | null
}

/** What the service's document says of a 401 or 403, with the section and the button for it. */
export function AdviceNote({ advice, tokenId }: Props) {
  const good = advice.code === 'expired_refreshed'
  return (
    <Note tone={good ? 'info' : 'missing'} action={<Next code={advice.code} tokenId={tokenId} />}>
      {advice.message}
      <span className="advice-section">
        <BookOpenText aria-hidden /> The service’s document, “{advice.section}”
      </span>
    </Note>
  )
}

function Next({ code, tokenId }: { readonly code: Advice['code'] } & Pick<Props, 'tokenId'>) {
  const token = addressOf({ name: 'tokens', tokenId })
  switch (code) {
    case 'expired':
      return (
        <a className="button" data-kind="primary" href={token}>
          <RefreshCw aria-hidden />
          Refresh the token
        </a>
      )
    case 'expired_refresh_failed':
    case 'revoked':
      return (
        <a className="button" data-kind="primary" href="#/authorization">
          <KeyRound aria-hidden />
          Authorize again
        </a>
      )
    case 'invalid':
    case 'expired_refreshed':
      return (
        <a className="button" href={token}>
          <KeyRound aria-hidden />
          See the token
        </a>
      )
    case 'unauthorized_without_token':
      return (
        <Button
          icon={<KeyRound aria-hidden />}
          onClick={() => document.querySelector<HTMLElement>('[data-token]')?.focus()}
        >
          Choose a token
        </Button>
      )
  }
}
