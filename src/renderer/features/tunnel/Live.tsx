import { useEffect, useState } from 'react'
import { formatElapsed } from '#shared/text/format.ts'
import { fullTime, utcTime } from '../../ui/text/time.ts'
import { leftUntil, nextLeft, nextLabelChange } from './lasting.ts'

/** The time of now, fresh when `next` says; null: it stays. Only the component that uses it is drawn anew. */
export function useLive(next: (now: number) => number | null): number {
  const [now, setNow] = useState(Date.now)
  const wake = next(now)
  useEffect(() => {
    if (wake === null) return undefined
    // Not before `wake`, whatever the clock says: else the same words would be asked for again, and no timer set.
    const ring = (): void => setNow(Math.max(Date.now(), wake))
    const alarm = setTimeout(ring, Math.max(0, wake - Date.now()) + 1)
    return () => clearTimeout(alarm)
  }, [wake])
  return now
}

interface Props {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** How long it has been so, live. */
export function Since({ at }: Props) {
  return <SinceNow key={at} at={at} />
}

// Another time is another clock: what is left over from the one before would be shown for a moment.
function SinceNow({ at }: Props) {
  const now = useLive((then) => nextLabelChange(at, then))
  return (
    <time className="live" dateTime={utcTime(at)} title={`Since ${fullTime(at)}`}>
      {formatElapsed(now - at)}
    </time>
  )
}

/** How long until then, live: "8 s". */
export function Until({ at }: Props) {
  return <UntilNow key={at} at={at} />
}

function UntilNow({ at }: Props) {
  const now = useLive((then) => nextLeft(at, then))
  return (
    <time className="live" dateTime={utcTime(at)} title={fullTime(at)}>
      {leftUntil(at, now)}
    </time>
  )
}
