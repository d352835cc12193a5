import { editDistance } from '#shared/text/edit-distance.ts'

/** Undefined if no name is similar enough. */
export function nearestOf(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase().slice(0, 40)
  const begun = names.filter((name) => lower.length >= 2 && name.toLowerCase().startsWith(lower))
  if (begun.length === 1) return begun[0]
  const [best] = names
    .map((name) => ({ name, letters: editDistance(lower, name.toLowerCase()) }))
    .toSorted((a, b) => a.letters - b.letters)
  if (best === undefined) return undefined
  const { length } = best.name
  return best.letters <= (length <= 3 ? 1 : Math.max(2, Math.floor(length / 3)))
    ? best.name
    : undefined
}
