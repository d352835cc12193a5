const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Widths that people count in, in milliseconds. Each divides the days, so that buckets of all of them begin at whole ones of UTC. */
const widths = [
  second,
  5 * second,
  15 * second,
  minute,
  5 * minute,
  15 * minute,
  hour,
  3 * hour,
  12 * hour,
  day,
]

export interface Buckets {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly width: number
  readonly count: number
}

/** The narrowest buckets that reach from `from` up to and with `to` (milliseconds) with at most `most` of them. */
export function bucketsFor(from: number, to: number, most: number): Buckets {
  for (let step = 0; ; step++) {
    const width = widths[step] ?? day * 2 ** (step - widths.length + 1)
    const first = Math.floor(from / width)
    const count = Math.floor(to / width) - first + 1
    if (count <= most) return { from: first * width, width, count: Math.max(1, count) }
  }
}
