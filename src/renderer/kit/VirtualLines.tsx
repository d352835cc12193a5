import {
  type KeyboardEventHandler,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** Chromium does not render elements higher than about 33 million pixels. */
const maxHeight = 30_000_000
const overscan = 10

interface View {
  readonly count: number
  /** In pixels, like the following values. */
  readonly lineHeight: number
  readonly top: number
  readonly height: number
}

/**
 * The visible lines of a scrolled view: `from` to `to` (exclusive), the first of them at `offset`, in a box of `totalHeight`.
 * If all lines together are higher than a browser can render, the box is lower and one scrolled pixel represents more than one.
 */
export function linesSeen({ count, lineHeight, top, height }: View): {
  from: number
  to: number
  offset: number
  totalHeight: number
} {
  const all = count * lineHeight
  const totalHeight = Math.min(all, maxHeight)
  const reach = Math.max(0, totalHeight - height)
  const at = Math.min(Math.max(0, top), reach)
  // The start of the view among all lines, in unscaled pixels.
  const begin = reach === 0 ? 0 : (at / reach) * Math.max(0, all - height)
  const first = Math.floor(begin / lineHeight)
  const from = Math.max(0, first - overscan)
  const to = Math.min(count, Math.ceil((begin + height) / lineHeight) + overscan)
  return { from, to, offset: at + from * lineHeight - begin, totalHeight }
}

/** The scroll position that makes `line` visible; null if it is already visible. */
export function scrollTo(line: number, view: View): number | null {
  const { count, lineHeight, top, height } = view
  const all = count * lineHeight
  const reach = Math.max(0, Math.min(all, maxHeight) - height)
  if (reach === 0 || height === 0) return null
  const scale = Math.max(0, all - height) / reach
  const begin = Math.min(Math.max(0, top), reach) * scale
  const lineTop = line * lineHeight
  if (lineTop < begin) return lineTop / scale
  const lineEnd = lineTop + lineHeight
  return lineEnd > begin + height ? (lineEnd - height) / scale : null
}

export const lineHeight = 20

interface Props {
  count: number
  renderLine: (index: number) => ReactNode
  label: string
  /** A line to bring into view whenever it changes. */
  reveal?: number | null
  role?: 'tree' | 'region'
  active?: string | undefined
  onKeyDown?: KeyboardEventHandler
  /** Called with the rendered range; `to` is exclusive. */
  onSeen?: (from: number, to: number) => void
}

/** Lines of equal height, of which only the visible ones are rendered. Positions are computed and not stored, so two million lines cost as little as twenty. */
export function VirtualLines(props: Props) {
  const { count, renderLine, label, reveal = null, role = 'region' } = props
  const { active, onKeyDown, onSeen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 0 })
  const seen = linesSeen({ count, lineHeight, ...view })

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useEffect(() => onSeen?.(seen.from, seen.to), [onSeen, seen.from, seen.to])

  useEffect(() => {
    const element = scroller.current
    if (!element || reveal === null) return
    const { scrollTop: top, clientHeight: height } = element
    const next = scrollTo(reveal, { count, lineHeight, top, height })
    if (next !== null) element.scrollTop = next
    // Only when the line to show changes. `count` changes when a line is collapsed or expanded, which must not scroll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [reveal])

  return (
    // A scrollable element must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/interactive-supports-focus, jsx-a11y/no-static-element-interactions
    <div
      className="lines mono h-full overflow-auto bg-surface text-s leading-(--code-line) select-text [overflow-anchor:none] focus-visible:[&_.tree-active]:bg-select"
      ref={scroller}
      role={role}
      aria-label={label}
      aria-activedescendant={active}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        const { scrollTop: top, clientHeight: height } = event.currentTarget
        setView({ top, height })
      }}
    >
      <div
        className="relative min-w-max"
        role={role === 'tree' ? 'none' : undefined}
        style={{ height: seen.totalHeight }}
      >
        {Array.from({ length: seen.to - seen.from }, (_, offset) => {
          const index = seen.from + offset
          return (
            <div
              key={index}
              className="absolute top-0 right-auto bottom-auto left-0 h-(--code-line) min-w-full whitespace-pre"
              role={role === 'tree' ? 'none' : undefined}
              style={{ transform: `translateY(${seen.offset + offset * lineHeight}px)` }}
            >
              {renderLine(index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface NumberProps {
  /** From screen readers. */
  hidden?: boolean
  children: ReactNode
}

/** The number before a line, or what stands for it. */
export function LineNumber({ hidden, children }: NumberProps) {
  return (
    <span
      className="line-number mr-5 inline-block w-11 text-right text-dim select-none"
      aria-hidden={hidden}
    >
      {children}
    </span>
  )
}
