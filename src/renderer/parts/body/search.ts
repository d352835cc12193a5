const maxMatches = 5000
/** Characters read at once. */
const chunkSize = 256 * 1024

/** Finds `query` in a text of `length` characters, read with `slice`, ignoring case. Returns at most 5,000 positions. */
export function findMatches(
  length: number,
  slice: (from: number, to: number) => string,
  query: string,
): number[] {
  const found: number[] = []
  if (query === '') return found
  const matcher = pattern(query)
  for (let from = 0; from < length;) {
    const to = from + chunkSize
    let next = to
    // Read slightly beyond the chunk, to find matches that cross its end.
    for (const match of slice(from, Math.min(length, to + query.length)).matchAll(matcher)) {
      const at = from + match.index
      if (at >= to) break
      found.push(at)
      if (found.length >= maxMatches) return found
      next = Math.max(next, at + match[0].length)
    }
    from = next
  }
  return found
}

/** Splits the text into parts, with the matches of `query` marked. */
export function markMatches(text: string, query: string): { text: string; hit: boolean }[] {
  if (query === '') return [{ text, hit: false }]
  const parts: { text: string; hit: boolean }[] = []
  let from = 0
  for (const match of text.matchAll(pattern(query))) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hit: false })
    parts.push({ text: match[0], hit: true })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hit: false })
  return parts
}

function pattern(query: string): RegExp {
  return new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'giu')
}

/** Returns the last index whose value is not above `value`, in ascending values. */
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
