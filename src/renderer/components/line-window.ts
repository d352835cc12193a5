/** Chromium draws no element higher than about 33 million pixels. */
const highest = 30_000_000
/** Lines drawn beyond each edge, so that a scroll has something to show. */
const beyond = 10

interface View {
  readonly count: number
  /** Pixels, as all that follow. */
  readonly lineHeight: number
  readonly top: number
  readonly height: number
}

/**
 * Which lines a scrolled view sees: `from` up to but not with `to`, the first of them at `offset`, in a box of `totalHeight`.
 * Where all lines together are higher than a browser can draw, the box is lower and a scrolled pixel stands for more than one.
 */
export function linesSeen({ count, lineHeight, top, height }: View): {
  from: number
  to: number
  offset: number
  totalHeight: number
} {
  const all = count * lineHeight
  const totalHeight = Math.min(all, highest)
  const reach = Math.max(0, totalHeight - height)
  const at = Math.min(Math.max(0, top), reach)
  // Where the view begins among all lines, in their pixels.
  const begin = reach === 0 ? 0 : (at / reach) * Math.max(0, all - height)
  const first = Math.floor(begin / lineHeight)
  const from = Math.max(0, first - beyond)
  const to = Math.min(count, Math.ceil((begin + height) / lineHeight) + beyond)
  return { from, to, offset: at + from * lineHeight - begin, totalHeight }
}

/** How far to scroll so that `line` is seen; null when it is. */
export function scrollTo(line: number, view: View): number | null {
  const { count, lineHeight, top, height } = view
  const all = count * lineHeight
  const reach = Math.max(0, Math.min(all, highest) - height)
  if (reach === 0 || height === 0) return null
  const scale = Math.max(0, all - height) / reach
  const begin = Math.min(Math.max(0, top), reach) * scale
  const lineTop = line * lineHeight
  if (lineTop < begin) return lineTop / scale
  const lineEnd = lineTop + lineHeight
  return lineEnd > begin + height ? (lineEnd - height) / scale : null
}
