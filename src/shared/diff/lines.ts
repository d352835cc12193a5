import { diffLines as compareLines } from 'diff'

/** A line of two compared texts. */
export interface LineChange {
  readonly change: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Limits of the search for the shortest difference: edits, and milliseconds. Texts that have little in common would take too long. */
const limits = { maxEditLength: 2000, timeout: 1000 }

/** All lines of two texts in order, removed ones before those that replace them; null if the texts are too different to compare in time. */
export function diffLines(before: string, after: string): LineChange[] | null {
  const parts = compareLines(before, after, limits)
  if (parts === undefined) return null
  return parts.flatMap(({ added, removed, value }) => {
    const change = added ? 'added' : removed ? 'removed' : 'same'
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ change, text }))
  })
}
