const hitsMost = 5000

/** Where `wanted` begins in `text`, letter case aside; at most 5,000 places. */
export function places(text: string, wanted: string): number[] {
  if (wanted === '') return []
  const found: number[] = []
  for (const match of text.matchAll(pattern(wanted))) {
    found.push(match.index)
    if (found.length >= hitsMost) break
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
export function lastUpTo(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((values[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
