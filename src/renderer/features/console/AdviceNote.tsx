import { BookOpenText, KeyRound } from 'lucide-react'
import type { Advice } from '#contract/api.ts'
import { Button } from '../../components/Button.tsx'
import { tokensAddress } from '../authorization/address.ts'
import { Note } from '../../components/Note.tsx'

/** What the service's document says of a 401 or 403, with the section and the button for it. */
export function AdviceNote({ advice }: { readonly advice: Advice }) {
  const good = advice.code === 'expired_refreshed'
  return (
    <Note tone={good ? 'info' : 'missing'} action={<Next code={advice.code} />}>
      {advice.message}
      <span className="advice-section">
        <BookOpenText aria-hidden /> The service’s document, “{advice.section}”
      </span>
    </Note>
  )
}

function Next({ code }: { readonly code: Advice['code'] }) {
  switch (code) {
    case 'expired':
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
        <a className="button" href={tokensAddress}>
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
