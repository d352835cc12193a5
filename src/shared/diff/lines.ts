import { diffLines as compareLines } from 'diff'

export interface LineChange {
  readonly change: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Edits and milliseconds. Texts with little in common would take too long. */
const limits = { maxEditLength: 2000, timeout: 1000 }

/** All lines in order, removed ones before those that replace them; null if the texts are too different to compare in time. */
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
