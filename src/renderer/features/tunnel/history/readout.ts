import { clockTimeSeconds, dayTime, shortDate } from '../../../components/text/time.ts'
import { cut, visible } from '../../../components/text/visible.ts'
import { lasting } from '../lasting.ts'
import { capital, tunnelStateLabels } from '../labels.ts'
import type { Period, Uptime } from './spans.ts'

const day = 86_400_000

/** The clock, with the day where it is not today's. */
export function momentOf(at: number, now: number): string {
  if (now - at < day / 2) return clockTimeSeconds(at)
  return now - at < 6 * day ? dayTime(at, now) : shortDate(at)
}

/** A stretch in a line: "Offline for 2 min, 18:03:12 to 18:05:12: the server does not answer." */
export function readoutOf(stretch: Period, now: number): string {
  const { state, begun, to, reason } = stretch
  const until = stretch.now ? 'until now' : `to ${momentOf(to, now)}`
  const words = `${capital(tunnelStateLabels[state].word)} for ${lasting(to - begun)}, ${momentOf(begun, now)} ${until}`
  return reason === '' ? `${words}.` : `${words}: ${visible(cut(reason, 300))}`
}

/** What it comes to: "Online 58 min of 1 h, 96.7 %." */
export function describeUptime({ online, wanted }: Uptime, range: string): string {
  if (wanted === 0) return `No tunnel was open in ${range}.`
  if (online === 0) return `Never online in ${range}.`
  if (online === wanted) return `Online all of the ${lasting(wanted)} that it was open.`
  return `Online ${lasting(online)} of the ${lasting(wanted)} that it was to be open, ${share(online / wanted)}.`
}

/** Never 100 % of what was not whole. */
function share(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toFixed(1)} %`
}
