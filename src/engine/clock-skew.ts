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
  return ` By the answer's Date header this computer's clock is ${spanOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service's.`
}

/** Seconds as people say them: `45 s`, `12 min`, `3 h 20 min`, `2 days`. */
export function spanOf(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 120) return `${whole} s`
  const minutes = Math.round(whole / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.round(hours / 24)} days`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}
