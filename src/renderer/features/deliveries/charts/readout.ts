import type { Timeline } from '#contract/deliveries.ts'
import { count, counted } from '#renderer/components/text/numbers.ts'
import { clockMinutes, clockTimeSeconds, shortDate } from '#renderer/components/text/time.ts'
import { cut, visible } from '#renderer/components/text/visible.ts'
import { totalsOf } from './layout.ts'

const namedMost = 4

/** What one bucket has, in a line: `21:07 to 21:08: 34 deliveries; Valid 30, Invalid 4`. */
export function readout(timeline: Timeline, bucket: number): string {
  const total = totalsOf(timeline)[bucket]
  if (total === undefined) return 'No deliveries'
  const begin = timeline.from + bucket * timeline.bucketMs
  const when = `${moment(begin, timeline.bucketMs)} to ${moment(begin + timeline.bucketMs, timeline.bucketMs)}`
  const named = timeline.series
    .map(({ label, counts }) => ({ label, n: counts[bucket] ?? 0 }))
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => b.n - a.n)
  const words = named
    .slice(0, namedMost)
    .map(({ label, n }) => `${visible(cut(label, 40))} ${count(n)}`)
  const more = named.length > namedMost ? [`${named.length - namedMost} more`] : []
  const list = [...words, ...more].join(', ')
  return `${when}: ${counted(total, 'delivery', 'deliveries')}${list === '' ? '' : `; ${list}`}`
}

/** A time as exactly as buckets of this width need it. */
export function moment(at: number, bucketMs: number): string {
  if (bucketMs < 60_000) return clockTimeSeconds(at)
  return bucketMs < 3_600_000 ? clockMinutes(at) : shortDate(at)
}
