import { jsonTokens } from '#contract/json-text.ts'

/**
 * How many elements each array of a JSON text has, in the order in which they open, read without regard to whether it is good JSON: a
 * path that counts from the end must know before it comes there.
 */
export function arrayLengths(text: string): number[] {
  const lengths: number[] = []
  /** The arrays that are open, by their number; -1: an object. */
  const open: number[] = []
  let filled = false
  for (const token of jsonTokens(text)) {
    if (token === '[' || token === '{') {
      open.push(token === '[' ? lengths.push(0) - 1 : -1)
      filled = false
      continue
    }
    const top = open.at(-1) ?? -1
    if (token === ']' || token === '}') {
      open.pop()
      if (filled && top >= 0) lengths[top] = (lengths[top] ?? 0) + 1
      filled = true
    } else if (token === ',') {
      if (top >= 0) lengths[top] = (lengths[top] ?? 0) + 1
    } else filled = true
  }
  return lengths
}
