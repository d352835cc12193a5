/** Levenshtein distance: how many characters must be inserted, deleted or replaced. */
export function editDistance(a: string, b: string): number {
  let previousRow = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previousRow[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (previousRow[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previousRow = row
  }
  return previousRow[b.length] ?? 0
}
