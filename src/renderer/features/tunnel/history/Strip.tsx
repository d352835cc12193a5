import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useWidth } from '../../../platform/use-width.ts'
import { TimeTicks } from '../../../ui/TimeTicks.tsx'
import { StatePatterns, patternFill } from './Patterns.tsx'
import { readoutOf } from './readout.ts'
import type { Period } from './spans.ts'
import type { TunnelStateName } from '#contract/tunnel.ts'

/** A piece of the strip, in whole pixels from its left. */
interface Piece {
  readonly x: number
  readonly width: number
  readonly state: TunnelStateName
}

/** Of what falls on one pixel the worst is drawn: an outage of a second must be seen among seven days. */
const rank = {
  off: 1,
  online: 2,
  opening: 3,
  reconnecting: 4,
  degraded: 5,
  offline: 6,
} as const satisfies Record<TunnelStateName, number>

/** What is no longer than a pixel has so many, unless it is well. */
const leastOfTrouble = 2

/** How high each state stands, as a share of the strip's height: heights differ as well as colours and patterns. */
export const heights = {
  off: 0.06,
  opening: 0.34,
  online: 0.62,
  reconnecting: 0.34,
  degraded: 0.8,
  offline: 1,
} as const satisfies Record<TunnelStateName, number>

/** The strip from `from` to `to`, `width` pixels wide. Where nothing is known there is no piece. */
export function piecesOf(
  stretches: readonly Period[],
  from: number,
  to: number,
  width: number,
): readonly Piece[] {
  const columns = Math.max(0, Math.floor(width))
  const length = to - from
  if (columns === 0 || length <= 0) return []
  const worst = Array.from({ length: columns }, (): TunnelStateName | null => null)
  for (const stretch of stretches) {
    if (stretch.to <= from || stretch.from >= to) continue
    const first = Math.max(0, Math.floor(((stretch.from - from) / length) * columns))
    const end = Math.ceil(((stretch.to - from) / length) * columns)
    const least = rank[stretch.state] > rank.online ? leastOfTrouble : 1
    const last = Math.min(columns, Math.max(end, first + least))
    for (let column = first; column < last; column++) {
      const there = worst[column] ?? null
      if (there === null || rank[stretch.state] > rank[there]) worst[column] = stretch.state
    }
  }
  const pieces: Piece[] = []
  for (const [x, state] of worst.entries()) {
    if (state === null) continue
    const last = pieces.at(-1)
    if (last?.state === state && last.x + last.width === x) {
      pieces[pieces.length - 1] = { ...last, width: last.width + 1 }
    } else pieces.push({ x, width: 1, state })
  }
  return pieces
}

/** How near a pointer must come to what is narrower than itself, in pixels. */
const reach = 3

/**
 * Which stretch a place on the strip means: what is there, but within reach of it the worst, which is hard to hit when it is narrow. `share`:
 * of the width, `width` in pixels. Null: nothing is known of that time.
 */
export function periodAt(
  stretches: readonly Period[],
  from: number,
  to: number,
  width: number,
  share: number,
): Period | null {
  const at = from + share * (to - from)
  const slack = (reach / Math.max(1, width)) * (to - from)
  let found: Period | null = null
  let best = 0
  for (const stretch of stretches) {
    const hit = stretch.from <= at && at < stretch.to
    const near =
      stretch.to - stretch.from < 2 * slack && stretch.from - slack <= at && at < stretch.to + slack
    if (!hit && !near) continue
    // Of those that are near, the worst; else what is there.
    const weight =
      near && rank[stretch.state] > rank.online ? 10 + rank[stretch.state] : hit ? 1 : 0
    if (weight > best) {
      best = weight
      found = stretch
    }
  }
  return found
}

interface Props {
  /** Within `from` and `to`, oldest first. */
  readonly stretches: readonly Period[]
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** One of them, or none. */
  readonly pointed: Period | null
  readonly onPoint: (stretch: Period | null) => void
}

const height = 44

/** Up and down over time. The pointer, or arrow keys, choose the stretch that is told of. */
export function Strip({ stretches, from, to, pointed, onPoint }: Props) {
  const id = useId()
  const { ref, width } = useWidth<HTMLDivElement>()
  const [byKey, setByKey] = useState(false)
  const last = stretches.length - 1
  const index = pointed === null ? null : stretches.indexOf(pointed)
  const at = index ?? last
  const current = stretches[at]

  function onKeyDown(event: KeyboardEvent): void {
    const next = keyed(event.key, index, last)
    if (next !== undefined) {
      setByKey(true)
      onPoint(stretches[next] ?? null)
    } else if (event.key === 'Escape' && pointed !== null) onPoint(null)
    else return
    event.preventDefault()
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left) / Math.max(1, box.width)
    setByKey(false)
    onPoint(periodAt(stretches, from, to, box.width, share))
  }

  const pieces = piecesOf(stretches, from, to, width)
  const place = (time: number): number => ((time - from) / (to - from)) * width
  return (
    <div
      ref={ref}
      className="round-s strip"
      role="slider"
      aria-label="The tunnel over time"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={current ? readoutOf(current, to) : 'No data for this time'}
      tabIndex={0}
      data-scrolls
      onKeyDown={onKeyDown}
      onBlur={() => onPoint(null)}
      onPointerMove={onPointerMove}
      onPointerLeave={() => {
        if (!byKey) onPoint(null)
      }}
    >
      <svg width={width} height={height} aria-hidden focusable="false">
        <StatePatterns id={id} />
        {pieces.map(({ x, width: wide, state }) => (
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
        {pieces.map(
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
        {pointed !== null && current && (
          <rect
            className="strip-cursor"
            x={place(current.from) - 1}
            width={Math.max(3, place(current.to) - place(current.from) + 2)}
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

/** Where a key leads; undefined: it is none of ours. */
function keyed(key: string, at: number | null, last: number): number | undefined {
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
