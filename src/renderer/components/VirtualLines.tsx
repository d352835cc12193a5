import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { KeyboardEventHandler, ReactNode } from 'react'
import './VirtualLines.css'

export const lineHeight = 20

interface Props {
  readonly count: number
  readonly renderLine: (index: number) => ReactNode
  readonly label: string
  /** A line to bring into view whenever it changes. */
  readonly reveal?: number | null
  readonly role?: 'tree' | 'region'
  readonly active?: string | undefined
  readonly onKeyDown?: KeyboardEventHandler
}

/** Lines of one height, of which only those that are seen exist. */
export function VirtualLines(props: Props) {
  const { count, renderLine, label, reveal = null, role = 'region', active, onKeyDown } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
  })
  useEffect(() => {
    if (reveal !== null) virtualizer.scrollToIndex(reveal, { align: 'auto' })
  }, [reveal, virtualizer])
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/interactive-supports-focus, jsx-a11y/no-static-element-interactions
    <div
      className="lines mono selectable"
      ref={scroller}
      role={role}
      aria-label={label}
      aria-activedescendant={active}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div
        className="lines-all"
        role={role === 'tree' ? 'none' : undefined}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((item) => (
          <div
            key={item.key}
            className="line"
            role={role === 'tree' ? 'none' : undefined}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {renderLine(item.index)}
          </div>
        ))}
      </div>
    </div>
  )
}
