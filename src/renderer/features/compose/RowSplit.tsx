import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { keepNumber, keptNumber } from '../../platform/storage.ts'
import './RowSplit.css'

interface Props {
  readonly top: ReactNode
  readonly bottom: ReactNode
  /** Under which the place of the divider is remembered. */
  readonly name: string
  /** What the divider is called. */
  readonly label: string
}

const smallest = 25
const largest = 80
const usual = 58
const step = 3

/** Two rows with a divider that moves by pointer and by arrow keys, and is remembered. */
export function RowSplit({ top, bottom, name, label }: Props) {
  const key = `tabscope.rows.${name}`
  const frame = useRef<HTMLDivElement>(null)
  const [share, setShare] = useState(() => clamp(keptNumber(key, usual)))

  function move(next: number): void {
    const clamped = clamp(next)
    setShare(clamped)
    keepNumber(key, clamped)
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !frame.current) return
    const box = frame.current.getBoundingClientRect()
    move(((event.clientY - box.top) / box.height) * 100)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = keyed(event.key, share)
    if (next === null) return
    event.preventDefault()
    move(next)
  }

  return (
    <div
      className="rows"
      ref={frame}
      style={{ gridTemplateRows: `minmax(0, ${share}fr) 0 minmax(0, ${100 - share}fr)` }}
    >
      <div className="rows-part">{top}</div>
      {/* A focusable separator is the pattern that ARIA gives for this (a "window splitter"). */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div
        className="rows-divider"
        role="separator"
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuenow={Math.round(share)}
        aria-valuemin={smallest}
        aria-valuemax={largest}
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onDoubleClick={() => move(usual)}
        onKeyDown={onKeyDown}
      />
      {/* oxlint-enable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div className="rows-part">{bottom}</div>
    </div>
  )
}

function clamp(share: number): number {
  return Math.min(largest, Math.max(smallest, share))
}

function keyed(key: string, share: number): number | null {
  switch (key) {
    case 'ArrowUp':
      return share - step
    case 'ArrowDown':
      return share + step
    case 'Home':
      return smallest
    case 'End':
      return largest
    default:
      return null
  }
}
