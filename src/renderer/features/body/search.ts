import type { Sliced } from './in-slices.ts'

const hitsMost = 5000
/** Characters searched between two chances to give way. */
const stretch = 256 * 1024

/**
 * Where `wanted` begins in a text of `length` characters that is read by `slice`, letter case aside; at most 5,000 places.
 */
export function* places(
  length: number,
  slice: (from: number, to: number) => string,
  wanted: string,
): Sliced<number[]> {
  const found: number[] = []
  if (wanted === '') return found
  const sought = pattern(wanted)
  for (let from = 0; from < length;) {
    const to = from + stretch
    let next = to
    // A little more than the stretch, so that what lies across its end is found as well.
    for (const match of slice(from, Math.min(length, to + wanted.length)).matchAll(sought)) {
      const at = from + match.index
      if (at >= to) break
      found.push(at)
      if (found.length >= hitsMost) return found
      next = Math.max(next, at + match[0].length)
    }
    from = next
    yield
  }
  return found
}

/** The text in pieces, those that are `wanted` marked. */
export function marked(text: string, wanted: string): { text: string; hit: boolean }[] {
  if (wanted === '') return [{ text, hit: false }]
  const parts: { text: string; hit: boolean }[] = []
  let from = 0
  for (const match of text.matchAll(pattern(wanted))) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hit: false })
    parts.push({ text: match[0], hit: true })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hit: false })
  return parts
}

function pattern(wanted: string): RegExp {
  return new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'giu')
}

/** The last index whose value is not above `value`, in values that ascend. */
export function lastUpTo(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((values[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
