import { useEffect, useState } from 'react'
import { formatElapsed } from '#shared/text/format.ts'
import { fullTime, utcTime } from '../../ui/text/time.ts'
import { leftUntil, nextLeft, nextLabelChange } from './durations.ts'

/** The current time, updated at the time that `next` returns; null for no update. Only the component that uses it renders again. */
export function useLive(next: (now: number) => number | null): number {
  const [now, setNow] = useState(Date.now)
  const updateAt = next(now)
  useEffect(() => {
    if (updateAt === null) return undefined
    // Never before `updateAt`, even if the clock differs. Otherwise the text would not change and no timer would be set.
    const update = (): void => setNow(Math.max(Date.now(), updateAt))
    const timer = setTimeout(update, Math.max(0, updateAt - Date.now()) + 1)
    return () => clearTimeout(timer)
  }, [updateAt])
  return now
}

interface Props {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The time since `at`, updated live. */
export function Since({ at }: Props) {
  return <SinceNow key={at} at={at} />
}

// Keyed by `at`, so that the value of an earlier time is not shown for a moment.
function SinceNow({ at }: Props) {
  const now = useLive((currentTime) => nextLabelChange(at, currentTime))
  return (
    <time className="live" dateTime={utcTime(at)} title={`Since ${fullTime(at)}`}>
      {formatElapsed(now - at)}
    </time>
  )
}

/** The time until `at`, updated live: "8 s". */
export function Until({ at }: Props) {
  return <UntilNow key={at} at={at} />
}

function UntilNow({ at }: Props) {
  const now = useLive((currentTime) => nextLeft(at, currentTime))
  return (
    <time className="live" dateTime={utcTime(at)} title={fullTime(at)}>
      {leftUntil(at, now)}
    </time>
  )
}
