import { formatDuration, formatElapsed } from '#shared/text/format.ts'

/** A parameter, so that tests need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms`. Returns a function that cancels it. Never keeps the process alive. */
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

/** In seconds. Smaller differences between clocks are ignored. */
const tolerance = 5

/** Both in seconds since the epoch. `serverDate`: the `Date` header of the response. */
export interface CheckedAt {
  readonly now: number
  readonly serverDate: number | null
}

/** `expires`: seconds since the epoch. The service's clock decides, but ours counts too. */
export function hasEnded(expires: number, { now, serverDate }: CheckedAt): boolean {
  return now >= expires || (serverDate !== null && serverDate >= expires)
}

/** A sentence about the difference between our clock and the service's; empty if it is unknown or small. */
export function clockNote({ now, serverDate }: CheckedAt): string {
  if (serverDate === null) return ''
  const ahead = now - serverDate
  if (Math.abs(ahead) <= tolerance) return ''
  const difference = Math.abs(ahead) * 1000
  // Time zones may differ by half hours, so minutes are shown, too.
  const skew = difference < 7_200_000 ? formatDuration(difference) : formatElapsed(difference)
  return ` According to the response's Date header, this computer's clock is ${skew} ${ahead > 0 ? 'ahead of' : 'behind'} the service's clock.`
}
