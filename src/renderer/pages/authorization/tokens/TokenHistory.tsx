import { plural } from '#shared/text/format.ts'
import type { TokenEvent } from '#contract/tokens.ts'
import { Fold } from '#kit/Page.tsx'
import { Masked } from '#kit/Masked.tsx'
import { clockTimeSeconds } from '#kit/text/time.ts'
import { truncate } from '#kit/text/visible.ts'
import { Time } from '#kit/Time.tsx'
import { useEditable } from '#client/state/scope.ts'
import { runAddress } from '#client/addresses/authorization.ts'
import { TokenEventMark } from './labels.tsx'

interface Props {
  /** Oldest first. */
  events: readonly TokenEvent[]
  open: boolean
}

export function TokenHistory({ events, open }: Props) {
  const editable = useEditable()
  if (events.length === 0) return null
  return (
    <Fold open={open} summary={`${plural(events.length, 'event', 'events')} in its history`}>
      <ol className="mt-3 text-s" aria-label="Events">
        {events.toReversed().map((event, index) => (
          // Two events of a kind can share a millisecond, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <li
            className="grid grid-cols-[var(--measure-number)_var(--measure-label)_minmax(0,1fr)] items-baseline gap-4 border-t border-t-line-soft px-0 py-2"
            key={events.length - index}
          >
            <Time at={event.at} className="mono">
              {clockTimeSeconds(event.at)}
            </Time>
            <TokenEventMark kind={event.kind} />
            <p className="wrap-anywhere text-mid">
              {event.detail !== null && <Masked text={truncate(event.detail, 400)} />}{' '}
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
    </Fold>
  )
}
