import { formatElapsed } from '#shared/text/format.ts'
import { fullTime } from '#kit/text/time.ts'
import { Time, useNow } from '#kit/Time.tsx'

interface Props {
  /** Milliseconds since the epoch. */
  at: number
}

/** The time since `at`, updated live. */
export function Since({ at }: Props) {
  const now = useNow((currentTime) => nextLabelChange(at, currentTime))
  return (
    <Time at={at} title={`Since ${fullTime(at)}`}>
      {formatElapsed(Math.max(0, now - at))}
    </Time>
  )
}

/** The time until `at`, updated live: "8 s". */
export function Until({ at }: Props) {
  const now = useNow((currentTime) => nextLeft(at, currentTime))
  return <Time at={at}>{leftUntil(at, now)}</Time>
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** When the text for the time since `since` next changes, in milliseconds since the epoch. */
export function nextLabelChange(since: number, now: number): number {
  const passed = now - since
  if (passed < 0) return since + second
  const unit = passed < minute ? second : passed < 2 * day ? minute : hour
  return since + (Math.floor(passed / unit) + 1) * unit
}

/** The time left until `at`: `8 s`, or `now` if none is left. */
export function leftUntil(at: number, now: number): string {
  const left = at - now
  return left <= 0 ? 'now' : formatElapsed(Math.ceil(left / second) * second)
}

/** When the text for the time left until `at` next changes; null if it does not. */
export function nextLeft(at: number, now: number): number | null {
  const left = at - now
  return left <= 0 ? null : at - (Math.ceil(left / second) - 1) * second
}
