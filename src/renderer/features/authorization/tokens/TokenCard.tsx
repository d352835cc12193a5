import { ChevronRight } from 'lucide-react'
import type { RefreshRule } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { Masked } from '../../../components/Masked.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { SeverityIcon, severityTone } from '../../../components/Mark.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { clockTimeSeconds, fullTime, utcTime } from '../../../components/text/time.ts'
import { cut } from '../../../components/text/visible.ts'
import { runAddress } from '../address.ts'
import { stateAt } from './life.ts'
import { LifeBar } from './LifeBar.tsx'
import { TokenEventMark, TokenStateMark } from './StateIcon.tsx'
import { TokenActions } from './TokenActions.tsx'
import { TokenLabel } from './TokenLabel.tsx'
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
      {token.findings.length > 0 && (
        <ul className="token-findings" aria-label="Findings">
          {token.findings.map((finding) => (
            <li key={`${finding.code} ${finding.place}`}>
              <span className="disc" data-tone={severityTone(finding.severity)}>
                <SeverityIcon severity={finding.severity} />
              </span>
              <p>
                <span className="visually-hidden">{finding.severity}: </span>
                <Shown text={cut(finding.message, 400)} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <TokenActions token={token} rule={rule} state={state} name={name} />
      {token.events.length > 0 && (
        <details className="token-story" open={lively}>
          <summary>
            <ChevronRight aria-hidden />
            {counted(token.events.length, 'event', 'events')} in its life
          </summary>
          <ol aria-label="Events">
            {token.events.toReversed().map((event, index) => (
              // Two of a kind may share a millisecond: the place tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={token.events.length - index}>
                <time dateTime={utcTime(event.at)} title={fullTime(event.at)} className="mono">
                  {clockTimeSeconds(event.at)}
                </time>
                <TokenEventMark kind={event.kind} />
                <p>
                  {event.detail !== null && <Masked text={cut(event.detail, 400)} />}{' '}
                  {event.runId !== null && <a href={runAddress(event.runId)}>run {event.runId}</a>}
                </p>
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}

/** The section of the service's document that says so. */
function Section({ name }: { readonly name: string | null }) {
  return name === null ? null : <span className="token-section">Document, “{name}”</span>
}
