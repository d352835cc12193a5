import {
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { saveNumber, loadNumber } from './storage.ts'
import './SplitPane.css'

interface Props {
  left: ReactNode
  /** Null: the left pane takes all the space. */
  right: ReactNode
  /** The name under which the divider position is stored. */
  name: string
  label: string
  /**
   * In a narrow window, the right pane is a sheet over the left one. Called when the focused element is completely covered by it. If omitted,
   * the panes always stay next to each other.
   */
  onCovered?: () => void
}

const minimum = 30
const maximum = 72
const initial = 56
const step = 2

/** Two panes with a divider that can be moved with the pointer and the arrow keys. Its position is stored. */
export function SplitPane({ left, right, name, label, onCovered }: Props) {
  const key = `tabscope.split.${name}`
  const frame = useRef<HTMLDivElement>(null)
  const [share, setShare] = useState(() => clamp(loadNumber(key, initial)))

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
    const next = shareForKey(event.key, share)
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
      className="split grid h-full min-h-0 grid-cols-1 below-900:data-sheet:data-split:relative below-900:data-sheet:data-split:block below-900:data-sheet:[&>.split-divider]:hidden below-900:data-sheet:data-split:[&>.split-left]:h-full"
      ref={frame}
      data-split={shown || undefined}
      data-sheet={onCovered !== undefined || undefined}
      style={
        shown ? { gridTemplateColumns: `minmax(0, ${share}fr) 0 minmax(0, ${100 - share}fr)` } : {}
      }
    >
      <div className="split-left min-h-0 min-w-0 overflow-hidden" onFocus={onFocus}>
        {left}
      </div>
      {shown && (
        <>
          {/* A focusable separator is the pattern that ARIA gives for this (a "window splitter"). */}
          {/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
          <div
            className="split-divider hover:after:bg-accent focus-visible:outline-none focus-visible:after:bg-accent"
            role="separator"
            aria-label={label}
            aria-orientation="vertical"
            aria-valuenow={Math.round(share)}
            aria-valuemin={minimum}
            aria-valuemax={maximum}
            tabIndex={0}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={onPointerMove}
            onDoubleClick={() => move(initial)}
            onKeyDown={onKeyDown}
          />
          {/* oxlint-enable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
          <div className="split-right min-h-0 min-w-0 overflow-hidden">{right}</div>
        </>
      )}
    </div>
  )
}

function clamp(share: number): number {
  return Math.min(maximum, Math.max(minimum, share))
}

function shareForKey(key: string, share: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return share - step
    case 'ArrowRight':
      return share + step
    case 'Home':
      return minimum
    case 'End':
      return maximum
    default:
      return null
  }
}
