import type { LogToken } from '#contract/event-log.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { cut } from '../../../components/text/visible.ts'
import { Shown } from '../../../components/Shown.tsx'
import { LifeBar } from '../../authorization/tokens/LifeBar.tsx'
import { TokenStateMark } from '../../authorization/tokens/StateIcon.tsx'
import { TokenFindings, TokenStory } from '../../authorization/tokens/TokenStory.tsx'

interface Props {
  readonly token: LogToken
  /** When the log was written, in milliseconds since the epoch: what it is now, the log cannot tell. */
  readonly now: number
  /** Whether its life is unfolded from the start. */
  readonly lively: boolean
}

/** The life of a token that a log tells of, without the token. */
export function LoggedToken({ token, now, lively }: Props) {
  // When it is due, is a setting of whoever had it.
  const known = { ...token, dueBefore: 0 }
  const state = tokenStateAt(known, now / 1000)
  const name = token.label === '' ? `Token ${token.id}` : cut(token.label, 80)
  return (
    <li className="panel token" data-state={state} aria-label={name}>
      <header className="token-head">
        <h3>
          <Shown text={name} />
        </h3>
        <TokenStateMark state={state} />
      </header>
      <LifeBar token={known} now={now} state={state} />
      <TokenFindings findings={token.findings} />
      <TokenStory events={token.events} open={lively} />
    </li>
  )
}
