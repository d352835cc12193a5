import type { Timeline } from '#contract/deliveries.ts'

export interface Bar {
  readonly bucket: number
  readonly series: number
  /** From the top, as shares of the height of the chart. */
  readonly top: number
  readonly height: number
}

/** The timeline with empty buckets before it where it has few: a minute of deliveries is not to look like an evening of them. */
export function atLeast(timeline: Timeline, buckets: number): Timeline {
  const missing = buckets - (timeline.series[0]?.counts.length ?? 0)
  if (missing <= 0) return timeline
  const before = Array.from({ length: missing }, () => 0)
  return {
    ...timeline,
    from: timeline.from - missing * timeline.bucketMs,
    series: timeline.series.map((series) => ({
      ...series,
      counts: [...before, ...series.counts],
    })),
  }
}

/** A bar that is there at all is at least so high: one of a thousand must not vanish. */
const leastShare = 0.03

/** Deliveries of each bucket. */
export function totalsOf({ series }: Timeline): number[] {
  const length = series[0]?.counts.length ?? 0
  return Array.from({ length }, (_, bucket) =>
    series.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0),
  )
}

/** The bars of a timeline, stacked from the foot in the order of its series. The fullest bucket has the whole height. */
export function barsOf(timeline: Timeline): Bar[] {
  const totals = totalsOf(timeline)
  const most = Math.max(1, ...totals)
  const bars: Bar[] = []
  for (const [bucket, total] of totals.entries()) {
    if (total === 0) continue
    const shares = timeline.series.map(({ counts }) => {
      const n = counts[bucket] ?? 0
      return n === 0 ? 0 : Math.max(n / most, leastShare)
    })
    const sum = shares.reduce((all, share) => all + share, 0)
    // What was raised so that it can be seen is taken from all alike, where it would not fit.
    const scale = sum > 1 ? 1 / sum : 1
    let foot = 1
    for (const [series, share] of shares.entries()) {
      const height = share * scale
      if (height === 0) continue
      bars.push({ bucket, series, top: foot - height, height })
      foot -= height
    }
  }
  return bars
}

/** Which bucket a place in the chart belongs to; `share` of its width. */
export function bucketAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)))
}
