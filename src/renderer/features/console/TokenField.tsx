import { KeyRound } from 'lucide-react'
import { useId } from 'react'
import type { TokenView } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { useNow } from '../../components/use-now.ts'
import { stateWords } from '../authorization/tokens/words.ts'

interface Props {
  readonly tokens: readonly TokenView[]
  /** The one that goes along; null: none. */
  readonly token: TokenView | null
  /** The one that was chosen is not there any more. */
  readonly lost: boolean
  readonly onChange: (tokenId: number | null) => void
}

/** On whose behalf the request is made, and the header that comes of it. */
export function TokenField({ tokens, token, lost, onChange }: Props) {
  const id = useId()
  const now = useNow() / 1000
  return (
    <div className="token-field">
      <label htmlFor={id}>
        <KeyRound aria-hidden /> Token
      </label>
      <span className="field">
        <select
          id={id}
          data-token
          value={token?.id ?? ''}
          onChange={(event) =>
            onChange(event.target.value === '' ? null : Number(event.target.value))
          }
        >
          {tokens.map((each) => (
            <option key={each.id} value={each.id}>
              {nameOf(each)} · {stateWords(tokenStateAt(each, now)).word.toLowerCase()}
            </option>
          ))}
          <option value="">without a token</option>
        </select>
      </span>
      {token === null ? (
        <span className="token-header dim">
          {tokens.length === 0 ? (
            <>
              None yet: <a href="#/authorization">authorize a user</a> to get one.
            </>
          ) : lost ? (
            'The one that was chosen is gone. Choose another.'
          ) : (
            'No Authorization header.'
          )}
        </span>
      ) : (
        <code className="token-header mono" title="Sent with the request, and never shown here">
          <span className="dim">Authorization:</span> Bearer ••••{visible(token.ending ?? '')}
        </code>
      )}
    </div>
  )
}

function nameOf({ label, ending, id }: TokenView): string {
  const name = label === '' ? `Token ${id}` : visible(cut(label, 40))
  return ending === null ? name : `${name} …${visible(ending)}`
}
