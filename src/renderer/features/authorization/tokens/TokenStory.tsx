import { ChevronRight } from 'lucide-react'
import type { Finding } from '#contract/models.ts'
import type { TokenEvent } from '#contract/tokens.ts'
import { SeverityIcon, severityTone } from '../../../components/Mark.tsx'
import { Masked } from '../../../components/Masked.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { clockTimeSeconds, fullTime, utcTime } from '../../../components/text/time.ts'
import { cut } from '../../../components/text/visible.ts'
import { useEditable } from '../../deliveries/scope/scope.ts'
import { runAddress } from '../address.ts'
import { TokenEventMark } from './StateIcon.tsx'

/** What departs from the document in the response a token came by. */
export function TokenFindings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null
  return (
    <ul className="token-findings" aria-label="Findings">
      {findings.map((finding) => (
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
  )
}

interface Props {
  /** Oldest first. */
  readonly events: readonly TokenEvent[]
  /** Whether it is unfolded from the start. */
  readonly open: boolean
}

/** What became of a token, newest first. */
export function TokenStory({ events, open }: Props) {
  const editable = useEditable()
  if (events.length === 0) return null
  return (
    <details className="token-story" open={open}>
      <summary>
        <ChevronRight aria-hidden />
        {counted(events.length, 'event', 'events')} in its life
      </summary>
      <ol aria-label="Events">
        {events.toReversed().map((event, index) => (
          // Two of a kind may share a millisecond: the place tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={events.length - index}>
            <time dateTime={utcTime(event.at)} title={fullTime(event.at)} className="mono">
              {clockTimeSeconds(event.at)}
            </time>
            <TokenEventMark kind={event.kind} />
            <p>
              {event.detail !== null && <Masked text={cut(event.detail, 400)} />}{' '}
              {event.runId !== null &&
                (editable ? (
                  <a href={runAddress(event.runId)}>run {event.runId}</a>
                ) : (
                  `run ${event.runId}`
                ))}
            </p>
          </li>
        ))}
      </ol>
    </details>
  )
}
