import './TimeTicks.css'
import { clockMinutes, clockTimeSeconds } from './text/time.ts'

const minute = 60_000
const day = 86_400_000

/** Round intervals between ticks, in milliseconds. */
const steps = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200].map((s) => s * 1000)

interface Tick {
  /** Position as a fraction of the width. */
  readonly at: number
  readonly label: string
}

/** The ticks of a time range, at most `most` of them, at round local times. */
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

/** The width of a tick label, in pixels. */
const tickWidth = 84

interface Props {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** Pixels. */
  readonly width: number
}

/** The time axis of a chart. Hidden from screen readers, because the chart has its own description. */
export function TimeTicks({ from, to, width }: Props) {
  return (
    <div className="time-ticks" aria-hidden>
      {ticksOf(from, to, Math.max(1, width / tickWidth)).map((tick) => (
        <span
          key={tick.at}
          style={{ left: `${tick.at * 100}%` }}
          data-end={tick.at > 0.96 || undefined}
          data-start={tick.at < 0.04 || undefined}
        >
          {tick.label}
        </span>
      ))}
    </div>
  )
}
