import { useId, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useWidth } from '../../../platform/use-width.ts'
import { TimeTicks } from '../../../components/TimeTicks.tsx'
import { StatePatterns, patternFill } from './Patterns.tsx'
import { readoutOf } from './readout.ts'
import type { Period } from './spans.ts'
import { heights, piecesOf, periodAt } from './strip.ts'

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
      className="strip"
      role="slider"
      aria-label="The tunnel over time"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={current ? readoutOf(current, to) : 'Nothing is known of this time'}
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
