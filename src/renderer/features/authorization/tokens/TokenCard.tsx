import type { RefreshRule } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { stateAt } from './life.ts'
import { LifeBar } from './LifeBar.tsx'
import { TokenStateMark } from './StateIcon.tsx'
import { TokenActions } from './TokenActions.tsx'
import { TokenLabel } from './TokenLabel.tsx'
import { TokenFindings, TokenStory } from './TokenStory.tsx'
import { TokenValue } from './TokenValue.tsx'
import { stateWords } from './words.ts'

interface Props {
  readonly token: TokenView
  readonly rule: RefreshRule
  readonly now: number
  /** Whether its life story is unfolded from the start. */
  readonly lively: boolean
}

/** One token: whose it is, what it is good for, and what became of it. Never the token itself, but on a click. */
export function TokenCard({ token, rule, now, lively }: Props) {
  const state = stateAt(token, now)
  const { meaning, section, tone } = stateWords(state)
  const name = token.label === '' ? `Token …${token.ending ?? token.id}` : cut(token.label, 80)
  const gone = state === 'forgotten' || state === 'unavailable'
  return (
    <li
      className="panel token"
      id={`token-${token.id}`}
      data-testid="token-card"
      data-state={state}
      aria-label={name}
    >
      <header className="token-head">
        <TokenLabel token={token} />
        <span className="mono token-ending">
          {token.ending === null ? '' : <>…{<Shown text={token.ending} />}</>}
        </span>
        <TokenStateMark state={state} />
      </header>
      <LifeBar token={token} now={now} state={state} />
      {meaning !== null && (
        <Note tone={tone === 'valid' ? 'info' : tone}>
          {meaning} <Section name={section} />
        </Note>
      )}
      {!gone && (
        <div className="token-values">
          <TokenValue token={token} which="access" />
          {token.hasRefreshToken ? (
            <TokenValue token={token} which="refresh" />
          ) : (
            <p className="token-value">
              <span className="token-value-name">Refresh token</span>
              <span className="dim">none came, so it cannot be refreshed</span>
            </p>
          )}
        </div>
      )}
      <TokenFindings findings={token.findings} />
      <TokenActions token={token} rule={rule} state={state} name={name} />
      <TokenStory events={token.events} open={lively} />
    </li>
  )
}

/** The section of the service's document that says so. */
function Section({ name }: { readonly name: string | null }) {
  return name === null ? null : <span className="token-section">Document, “{name}”</span>
}
