import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useWidth } from '../../../platform/use-width.ts'
import { TimeTicks } from '../../../ui/TimeTicks.tsx'
import { StatePatterns, patternFill } from './Patterns.tsx'
import { readoutOf } from './readout.ts'
import type { Period } from './spans.ts'
import type { TunnelStateName } from '#contract/tunnel.ts'

/** A segment of the strip, in whole pixels from the left. */
interface Segment {
  readonly x: number
  readonly width: number
  readonly state: TunnelStateName
}

/** If several states fall on one pixel, the worst is drawn, so that an outage of one second is visible in seven days. */
const rank = {
  off: 1,
  online: 2,
  opening: 3,
  reconnecting: 4,
  degraded: 5,
  offline: 6,
} as const satisfies Record<TunnelStateName, number>

/** The minimum width of a problem state, in pixels. */
const minimumProblemWidth = 2

/** The height of each state relative to the strip. States differ in height as well as in color and pattern. */
export const heights = {
  off: 0.06,
  opening: 0.34,
  online: 0.62,
  reconnecting: 0.34,
  degraded: 0.8,
  offline: 1,
} as const satisfies Record<TunnelStateName, number>

/** The segments of the strip from `from` to `to`, `width` pixels wide. There is no segment where no data exists. */
export function segmentsOf(
  periods: readonly Period[],
  from: number,
  to: number,
  width: number,
): readonly Segment[] {
  const columns = Math.max(0, Math.floor(width))
  const length = to - from
  if (columns === 0 || length <= 0) return []
  const worst = Array.from({ length: columns }, (): TunnelStateName | null => null)
  for (const period of periods) {
    if (period.to <= from || period.from >= to) continue
    const first = Math.max(0, Math.floor(((period.from - from) / length) * columns))
    const end = Math.ceil(((period.to - from) / length) * columns)
    const least = rank[period.state] > rank.online ? minimumProblemWidth : 1
    const last = Math.min(columns, Math.max(end, first + least))
    for (let column = first; column < last; column++) {
      const there = worst[column] ?? null
      if (there === null || rank[period.state] > rank[there]) worst[column] = period.state
    }
  }
  const segments: Segment[] = []
  for (const [x, state] of worst.entries()) {
    if (state === null) continue
    const last = segments.at(-1)
    if (last?.state === state && last.x + last.width === x) {
      segments[segments.length - 1] = { ...last, width: last.width + 1 }
    } else segments.push({ x, width: 1, state })
  }
  return segments
}

/** How close the pointer must be to a narrow period, in pixels. */
const reach = 3

/**
 * The period at a position of the strip. A narrow problem period within reach takes precedence, because it is hard to hit. `share`: position as
 * a fraction of the width. `width`: in pixels. Null: there is no data for that time.
 */
export function periodAt(
  periods: readonly Period[],
  from: number,
  to: number,
  width: number,
  share: number,
): Period | null {
  const at = from + share * (to - from)
  const slack = (reach / Math.max(1, width)) * (to - from)
  let found: Period | null = null
  let best = 0
  for (const period of periods) {
    const hit = period.from <= at && at < period.to
    const near =
      period.to - period.from < 2 * slack && period.from - slack <= at && at < period.to + slack
    if (!hit && !near) continue
    // The worst of the nearby periods, otherwise the one at the position.
    const weight = near && rank[period.state] > rank.online ? 10 + rank[period.state] : hit ? 1 : 0
    if (weight > best) {
      best = weight
      found = period
    }
  }
  return found
}

interface Props {
  /** Periods within `from` and `to`, oldest first. */
  readonly periods: readonly Period[]
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** The selected period, if any. */
  readonly selected: Period | null
  readonly onSelect: (period: Period | null) => void
}

const height = 44

/** The tunnel state over time. The pointer or the arrow keys select a period. */
export function Strip({ periods, from, to, selected, onSelect }: Props) {
  const id = useId()
  const { ref, width } = useWidth<HTMLDivElement>()
  const [selectedByKey, setSelectedByKey] = useState(false)
  const last = periods.length - 1
  const index = selected === null ? null : periods.indexOf(selected)
  const at = index ?? last
  const current = periods[at]

  function onKeyDown(event: KeyboardEvent): void {
    const next = indexForKey(event.key, index, last)
    if (next !== undefined) {
      setSelectedByKey(true)
      onSelect(periods[next] ?? null)
    } else if (event.key === 'Escape' && selected !== null) onSelect(null)
    else return
    event.preventDefault()
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left) / Math.max(1, box.width)
    setSelectedByKey(false)
    onSelect(periodAt(periods, from, to, box.width, share))
  }

  const segments = segmentsOf(periods, from, to, width)
  const toX = (time: number): number => ((time - from) / (to - from)) * width
  return (
    <div
      ref={ref}
      className="round-s strip"
      role="slider"
      aria-label="Tunnel state over time"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={current ? readoutOf(current, to) : 'No data for this time'}
      tabIndex={0}
      data-scrolls
      onKeyDown={onKeyDown}
      onBlur={() => onSelect(null)}
      onPointerMove={onPointerMove}
      onPointerLeave={() => {
        if (!selectedByKey) onSelect(null)
      }}
    >
      <svg width={width} height={height} aria-hidden focusable="false">
        <StatePatterns id={id} />
        {segments.map(({ x, width: wide, state }) => (
          <rect
            key={x}
            data-state={state}
            fill={patternFill(id, state)}
            x={x}
            width={wide}
            y={height * (1 - heights[state])}
            height={height * heights[state]}
          />
        ))}
        {segments.map(
          ({ x, width: wide, state }) =>
            state === 'online' && (
              <rect
                key={x}
                className="strip-line"
                x={x}
                width={wide}
                y={height * (1 - heights.online)}
                height={2}
              />
            ),
        )}
        {selected !== null && current && (
          <rect
            className="strip-cursor"
            x={toX(current.from) - 1}
            width={Math.max(3, toX(current.to) - toX(current.from) + 2)}
            y={0.5}
            height={height - 1}
            rx={2}
          />
        )}
      </svg>
      <TimeTicks from={from} to={to} width={width} />
    </div>
  )
}

/** The index that a key selects; undefined if the strip does not handle the key. */
function indexForKey(key: string, at: number | null, last: number): number | undefined {
  if (last < 0) return undefined
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at === null ? last : Math.max(0, at - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return at === null ? last : Math.min(last, at + 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
