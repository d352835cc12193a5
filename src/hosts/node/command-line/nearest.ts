import { editDistance } from '#shared/text/edit-distance.ts'
import { AppError } from '#engine/platform/errors.ts'

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

/** By one of its names, the first of which is listed; in another case if none is written so. Throws `not_found` with the available names. */
export function named<T>(
  kind: string,
  word: string,
  all: readonly T[],
  namesOf: (each: T) => readonly string[],
): T {
  const lower = word.trim().toLowerCase()
  const found =
    all.find((each) => namesOf(each).includes(word)) ??
    all.find((each) => namesOf(each).some((name) => name.toLowerCase() === lower))
  if (found !== undefined) return found
  const available = all.map((each) => namesOf(each)[0] ?? '')
  const near = nearestOf(word, available)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw new AppError(
    'not_found',
    `${kind} "${word}" does not exist. Available: ${available.join(', ') || 'none'}.${hint}`,
  )
}
