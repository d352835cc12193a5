import { ticksOf } from './time-ticks.ts'
import './TimeTicks.css'

/** Pixels that a tick with its words takes. */
const tickWidth = 84

interface Props {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** Pixels. */
  readonly width: number
}

/** The times below a chart that lies over a stretch of time. What they say is said elsewhere to those who do not see them. */
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
