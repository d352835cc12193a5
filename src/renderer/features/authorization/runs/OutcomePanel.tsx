import { Check, SquareTerminal } from 'lucide-react'
import type { Run } from '#contract/authorization.ts'
import { Shown } from '../../../components/Shown.tsx'
import { useNow } from '../../../components/use-now.ts'
import { useEditable } from '../../deliveries/scope/scope.ts'
import { addressOf } from '../address.ts'
import { useAuthorization } from '../store.ts'
import { shortLeft, stateAt } from '../tokens/life.ts'
import { TokenStateMark } from '../tokens/StateIcon.tsx'

/** What came of a run that succeeded: the token, and what one does with it. */
export function OutcomePanel({ run }: { readonly run: Run }) {
  const editable = useEditable()
  // A log's tokens have numbers of their own.
  const token = useAuthorization(({ tokens }) =>
    editable ? tokens.find(({ id }) => id === run.tokenId) : undefined,
  )
  const now = useNow()
  return (
    <section className="outcome" data-tone="valid" aria-label="What came of it">
      <Check aria-hidden />
      {token ? (
        <p>
          <strong>{run.kind === 'refresh' ? 'The token is a new one.' : 'A token came.'}</strong>{' '}
          <span className="mono">…{<Shown text={token.ending ?? ''} />}</span>{' '}
          {token.label !== '' && (
            <>
              for <Shown text={token.label} />
            </>
          )}{' '}
          <TokenStateMark state={stateAt(token, now)} />{' '}
          <span className="mid">{shortLeft(token, now)}</span>
        </p>
      ) : (
        <p>
          <strong>A token came.</strong>
          {editable && ' It has been deleted here since.'}
        </p>
      )}
      {token && (
        <div className="line-actions">
          <a className="button" href={`#/console?token=${token.id}`}>
            <SquareTerminal aria-hidden />
            Call with it
          </a>
          <a className="button" href={addressOf({ name: 'tokens', tokenId: token.id })}>
            Show the token
          </a>
        </div>
      )}
    </section>
  )
}
