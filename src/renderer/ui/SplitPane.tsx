import { useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { saveNumber, loadNumber } from '../platform/storage.ts'
import './SplitPane.css'

interface Props {
  readonly left: ReactNode
  /** Null: the left pane has all the room. */
  readonly right: ReactNode
  /** Under which the place of the divider is remembered. */
  readonly name: string
  /** What the divider is called. */
  readonly label: string
  /**
   * Where there is little room the right pane lies over the left as a sheet, and this is called when the focus is wholly under it. Absent: the
   * two stay beside each other.
   */
  readonly onCovered?: () => void
}

const smallest = 30
const largest = 72
const usual = 56
const step = 2

/** Two panes with a divider that moves by pointer and by arrow keys, and is remembered. */
export function SplitPane({ left, right, name, label, onCovered }: Props) {
  const key = `tabscope.split.${name}`
  const frame = useRef<HTMLDivElement>(null)
  const [share, setShare] = useState(() => clamp(loadNumber(key, usual)))

  function move(next: number): void {
    const clamped = clamp(next)
    setShare(clamped)
    saveNumber(key, clamped)
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !frame.current) return
    const box = frame.current.getBoundingClientRect()
    move(((event.clientX - box.left) / box.width) * 100)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = keyed(event.key, share)
    if (next === null) return
    event.preventDefault()
    move(next)
  }

  function onFocus({ target }: FocusEvent): void {
    const sheet = frame.current?.querySelector(':scope > .split-right')
    if (!sheet || getComputedStyle(sheet).position !== 'absolute') return
    if (target.getBoundingClientRect().left >= sheet.getBoundingClientRect().left) onCovered?.()
  }

  const shown = right !== null
  return (
    <div
      className="split"
      ref={frame}
      data-split={shown || undefined}
      data-sheet={onCovered !== undefined || undefined}
      style={
        shown ? { gridTemplateColumns: `minmax(0, ${share}fr) 0 minmax(0, ${100 - share}fr)` } : {}
      }
    >
      <div className="split-left" onFocus={onFocus}>
        {left}
      </div>
      {shown && (
        <>
          {/* A focusable separator is the pattern that ARIA gives for this (a "window splitter"). */}
          {/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
          <div
            className="split-divider"
            role="separator"
            aria-label={label}
            aria-orientation="vertical"
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
          <div className="split-right">{right}</div>
        </>
      )}
    </div>
  )
}

function clamp(share: number): number {
  return Math.min(largest, Math.max(smallest, share))
}

function keyed(key: string, share: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return share - step
    case 'ArrowRight':
      return share + step
    case 'Home':
      return smallest
    case 'End':
      return largest
    default:
      return null
  }
}
