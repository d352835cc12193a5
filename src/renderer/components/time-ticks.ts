import { clockMinutes, clockTimeSeconds } from './text/time.ts'

const minute = 60_000
const day = 86_400_000

/** Steps between ticks that people count in, in milliseconds. */
const steps = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200].map((s) => s * 1000)

export interface Tick {
  /** Share of the width. */
  readonly at: number
  readonly label: string
}

/** Times to write below a stretch of time, at most `most` of them, at whole minutes, hours, days of here. */
export function ticksOf(from: number, to: number, most: number): Tick[] {
  const length = Math.max(1, to - from)
  const step = steps.find((candidate) => length / candidate <= most) ?? wholeDays(length / most)
  const zone = new Date(from).getTimezoneOffset() * minute
  const first = Math.ceil((from - zone) / step) * step + zone
  const ticks: Tick[] = []
  for (let at = first; at <= to; at += step) {
    ticks.push({ at: (at - from) / length, label: tickLabel(at, step) })
  }
  return ticks
}

function wholeDays(ms: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(ms / day))) * day
}

const dayOnly = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

function tickLabel(at: number, step: number): string {
  if (step >= day) return dayOnly.format(at)
  return step < minute ? clockTimeSeconds(at) : clockMinutes(at)
}
