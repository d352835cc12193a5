import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { Timeline } from '#contract/deliveries.ts'
import { indexAfterKey } from '../../../ui/focus.ts'
import { clockMinutes, clockTimeSeconds } from '../../../ui/text/time.ts'
import { barsOf, bucketAt, totalsOf } from './layout.ts'
import { Patterns, patternFill } from './Patterns.tsx'
import { readout, type ChartKind } from './readout.ts'

interface Props {
  readonly timeline: Timeline
  readonly by: ChartKind
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Whether to label the time axis. */
  readonly axis: boolean
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly onBrush: (from: number, to: number) => void
  readonly onPoint: (bucket: number | null) => void
}

const widestBar = 48

/**
 * Stacked bars over time. Dragging selects a time range. Arrow keys move a cursor, with Shift they select, and Enter applies the selection.
 */
export function Chart({ timeline, by, width, height, axis, onBrush, onPoint }: Props) {
  const id = useId()
  const { from, bucketMs } = timeline
  const totals = totalsOf(timeline)
  const count = totals.length
  const [cursor, setCursor] = useState<number | null>(null)
  const [selection, setSelection] = useState<{ readonly from: number; readonly to: number } | null>(
    null,
  )
  const step = count === 0 ? 0 : width / count
  const gap = step > 3 ? 1 : 0
  const bar = Math.min(widestBar, Math.max(0.75, step - gap))

  function setPointed(bucket: number | null): void {
    setCursor(bucket)
    onPoint(bucket)
  }

  function brush(): void {
    if (!selection) return
    const first = Math.min(selection.from, selection.to)
    const last = Math.max(selection.from, selection.to)
    setSelection(null)
    setPointed(null)
    onBrush(from + first * bucketMs, from + (last + 1) * bucketMs)
  }

  function bucketOf(event: PointerEvent<HTMLElement>): number {
    const box = event.currentTarget.getBoundingClientRect()
    return bucketAt((event.clientX - box.left) / Math.max(1, box.width), count)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const at = cursor ?? count - 1
    const next = indexAfterKey(event.key, at, count)
    if (next !== null) {
      setSelection(event.shiftKey ? { from: selection?.from ?? at, to: next } : null)
      setPointed(next)
    } else if (event.key === 'Enter' && selection) brush()
    else if (event.key === 'Escape' && (selection || cursor !== null)) {
      setSelection(null)
      setPointed(null)
    } else return
    event.preventDefault()
  }

  const at = cursor ?? count - 1
  return (
    <div
      className="chart"
      role="slider"
      aria-label="Deliveries over time"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={
        readout(timeline, at) +
        (selection ? `. ${barCount(selection)} selected. Press Enter to filter.` : '')
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => setPointed(null)}
      onPointerDown={(event) => {
        if (event.button !== 0 || count === 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const bucket = bucketOf(event)
        setSelection({ from: bucket, to: bucket })
      }}
      onPointerMove={(event) => {
        if (count === 0) return
        const bucket = bucketOf(event)
        if (bucket !== cursor) setPointed(bucket)
        if (selection && event.currentTarget.hasPointerCapture(event.pointerId)) {
          if (selection.to !== bucket) setSelection({ ...selection, to: bucket })
        }
      }}
      onPointerUp={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) brush()
      }}
      onPointerCancel={() => setSelection(null)}
      onPointerLeave={() => setPointed(null)}
    >
      <svg width={width} height={height} aria-hidden focusable="false">
        <Patterns id={id} by={by} keys={timeline.series.map(({ key }) => key)} />
        <line className="chart-foot" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {barsOf(timeline).map(({ bucket, series, top, height: share }) => (
          <rect
            key={`${bucket}-${series}`}
            fill={patternFill(id, series)}
            x={bucket * step + (step - bar) / 2}
            width={bar}
            y={1 + top * (height - 1)}
            height={Math.max(1, share * (height - 1))}
          />
        ))}
        {cursor !== null && (
          <rect className="chart-cursor" x={cursor * step} width={step} y={0} height={height} />
        )}
        {selection && (
          <rect
            className="chart-selected"
            x={Math.min(selection.from, selection.to) * step}
            width={(Math.abs(selection.to - selection.from) + 1) * step}
            y={0}
            height={height}
          />
        )}
      </svg>
      {axis && <TimeTicks from={from} to={from + count * bucketMs} width={width} />}
    </div>
  )
}

function barCount({ from, to }: { readonly from: number; readonly to: number }): string {
  const n = Math.abs(to - from) + 1
  return n === 1 ? '1 bar' : `${n} bars`
}

const minute = 60_000
const day = 86_400_000

/** Round intervals between ticks, in milliseconds. */
const tickSteps = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200].map(
  (s) => s * 1000,
)

interface Tick {
  /** Position as a fraction of the width. */
  readonly at: number
  readonly label: string
}

/** The ticks of a time range, at most `most` of them, at round local times. */
export function ticksOf(from: number, to: number, most: number): Tick[] {
  const length = Math.max(1, to - from)
  const step = tickSteps.find((candidate) => length / candidate <= most) ?? wholeDays(length / most)
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

interface TicksProps {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** Pixels. */
  readonly width: number
}

/** The time axis of a chart. Hidden from screen readers, because the chart has its own description. */
function TimeTicks({ from, to, width }: TicksProps) {
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
