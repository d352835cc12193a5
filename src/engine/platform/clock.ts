import { formatDuration, formatElapsed } from '#shared/text/format.ts'

/** Time as a parameter, so that tests need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms` milliseconds. Returns a function that cancels it. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Starts with the system's time and then only increases, even if the system's clock is changed. */
export const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, callback) => systemClock.after(ms, callback),
}

/** Smaller differences between clocks are ignored, in seconds. */
const tolerance = 5

/** When a response was checked: both times in seconds since the epoch. `serverDate`: the response's `Date` header, null if it had none. */
export interface CheckedAt {
  readonly now: number
  readonly serverDate: number | null
}

/** Returns true if `expires` (seconds since the epoch) has passed by our clock or by the service's clock, which decides. */
export function hasEnded(expires: number, { now, serverDate }: CheckedAt): boolean {
  return now >= expires || (serverDate !== null && serverDate >= expires)
}

/** Describes the difference between our clock and the service's, as an additional sentence; empty if it is unknown or small. */
export function clockNote({ now, serverDate }: CheckedAt): string {
  if (serverDate === null) return ''
  const ahead = now - serverDate
  if (Math.abs(ahead) <= tolerance) return ''
  const difference = Math.abs(ahead) * 1000
  // From two hours on, minutes are shown, too: time zones may differ by half hours.
  const skew = difference < 7_200_000 ? formatDuration(difference) : formatElapsed(difference)
  return ` According to the response's Date header, this computer's clock is ${skew} ${ahead > 0 ? 'ahead of' : 'behind'} the service's clock.`
}
