import { formatElapsed } from '#shared/text/format.ts'
import { clockTimeSeconds, dayTime, shortDate } from '../../../ui/text/time.ts'
import { cut, visible } from '../../../ui/text/visible.ts'
import { capital, tunnelStateLabels } from '../../../state/tunnel-labels.ts'
import type { Period, Uptime } from './spans.ts'

const day = 86_400_000

/** The time of day, with the date for earlier days. */
export function momentOf(at: number, now: number): string {
  if (now - at < day / 2) return clockTimeSeconds(at)
  return now - at < 6 * day ? dayTime(at, now) : shortDate(at)
}

/** Describes a period in one line: "Offline for 2 min, 18:03:12 to 18:05:12: the server does not respond." */
export function readoutOf(period: Period, now: number): string {
  const { state, begun, to, reason } = period
  const until = period.now ? 'to now' : `to ${momentOf(to, now)}`
  const words = `${capital(tunnelStateLabels[state].word)} for ${formatElapsed(to - begun)}, ${momentOf(begun, now)} ${until}`
  return reason === '' ? `${words}.` : `${words}: ${visible(cut(reason, 300))}`
}

/** Describes the uptime: "Online 96.7% of the requested time (58 min of 1 h)." */
export function describeUptime({ online, wanted }: Uptime, range: string): string {
  if (wanted === 0) return `No tunnel was open in ${range}.`
  if (online === 0) return `Never online in ${range}.`
  if (online === wanted) return `Online 100% of the requested time (${formatElapsed(wanted)}).`
  return `Online ${share(online / wanted)} of the requested time (${formatElapsed(online)} of ${formatElapsed(wanted)}).`
}

/** Rounded down, so that it is never 100% of an incomplete time. */
function share(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toFixed(1)}%`
}
