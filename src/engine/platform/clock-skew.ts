import { formatDuration, formatElapsed } from '#shared/text/format.ts'
/** Clocks that differ by less are no explanation, in seconds. */
const tolerable = 5

/** What was met, and when: both times in seconds since the epoch; `serverDate` is the answer's `Date`, null when it had none. */
export interface CheckedAt {
  readonly now: number
  readonly serverDate: number | null
}

/** Whether `expires` (seconds since the epoch) has passed, by our clock or by the service's, whose word it is. */
export function hasEnded(expires: number, { now, serverDate }: CheckedAt): boolean {
  return now >= expires || (serverDate !== null && serverDate >= expires)
}

/** How far our clock is from the service's, as one more sentence; empty where the answer did not say, or they agree. */
export function clockNote({ now, serverDate }: CheckedAt): string {
  if (serverDate === null) return ''
  const ahead = now - serverDate
  if (Math.abs(ahead) <= tolerable) return ''
  const apart = Math.abs(ahead) * 1000
  // Hours are told with their minutes: time zones are half hours apart as well.
  const skew = apart < 7_200_000 ? formatDuration(apart) : formatElapsed(apart)
  return ` By the answer's Date header this computer's clock is ${skew} ${ahead > 0 ? 'ahead of' : 'behind'} the service's.`
}
