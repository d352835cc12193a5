import type { Timeline } from '#contract/deliveries.ts'

export interface Bar {
  readonly bucket: number
  readonly series: number
  /** Distance from the top and height, as fractions of the chart height. */
  readonly top: number
  readonly height: number
}

/** Pads a short timeline with empty buckets at its start, so that a minute of deliveries does not look like a whole evening. */
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

/** Minimum height of a bar, so that one delivery among thousands stays visible. */
const leastShare = 0.03

export function totalsOf({ series }: Timeline): number[] {
  const length = series[0]?.counts.length ?? 0
  return Array.from({ length }, (_, bucket) =>
    series.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0),
  )
}

/** The bars of a timeline, stacked from the bottom in series order. The largest bucket fills the height. */
export function barsOf(timeline: Timeline): Bar[] {
  const totals = totalsOf(timeline)
  const largest = Math.max(1, ...totals)
  const bars: Bar[] = []
  for (const [bucket, total] of totals.entries()) {
    if (total === 0) continue
    const shares = timeline.series.map(({ counts }) => {
      const n = counts[bucket] ?? 0
      return n === 0 ? 0 : Math.max(n / largest, leastShare)
    })
    const sum = shares.reduce((all, share) => all + share, 0)
    // Minimum heights can make a stack too tall: scale all its bars down to fit.
    const scale = sum > 1 ? 1 / sum : 1
    let bottom = 1
    for (const [series, share] of shares.entries()) {
      const height = share * scale
      if (height === 0) continue
      bars.push({ bucket, series, top: bottom - height, height })
      bottom -= height
    }
  }
  return bars
}

/** The bucket at a horizontal position. `share`: fraction of the chart width. */
export function bucketAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)))
}
