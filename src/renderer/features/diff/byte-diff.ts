import { diffLines } from 'diff'

export interface ByteDiff {
  readonly equal: boolean
  readonly sizes: readonly [before: number, after: number]
  /** The offset of the first differing byte; null if equal. If one is a prefix of the other, its length. */
  readonly at: number | null
  /** The surrounding bytes, and the offset where they start. */
  readonly from: number
  readonly around: readonly [before: Uint8Array, after: Uint8Array]
}

const linesAround = 3
const bytesInLine = 16

/** Compares two bodies byte by byte. */
export function diffBytes(before: Uint8Array, after: Uint8Array): ByteDiff {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before[at] === after[at]) at += 1
  const equal = at === shorter && before.length === after.length
  const line = Math.floor(at / bytesInLine)
  const from = Math.max(0, line - linesAround) * bytesInLine
  const to = (line + linesAround + 1) * bytesInLine
  return {
    equal,
    sizes: [before.length, after.length],
    at: equal ? null : at,
    from,
    around: equal
      ? [new Uint8Array(), new Uint8Array()]
      : [before.slice(from, to), after.slice(from, to)],
  }
}

export interface LineRow {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped'
  /** The line number, for unchanged lines the later one. For skipped lines, their count. */
  readonly number: number
  readonly text: string
}

export interface LineDiff {
  readonly rows: readonly LineRow[]
  readonly added: number
  readonly removed: number
}

const context = 3
const maxRows = 3000
/** Maximum displayed characters of a line. */
export const longestLine = 500
/** Limits in edit steps and milliseconds. Comparing two unrelated texts would take too long. */
const maxSteps = 2000
const timeoutMs = 1000

/** Compares two texts by line. Null if they differ too much to compare in time. */
export function diffText(before: string, after: string): LineDiff | null {
  const changes = diffLines(before, after, { maxEditLength: maxSteps, timeout: timeoutMs })
  if (!changes) return null
  const rows: LineRow[] = []
  let [added, removed, left, right] = [0, 0, 1, 1]
  for (const [place, change] of changes.entries()) {
    const lines = change.value.split('\n')
    if (lines.at(-1) === '') lines.pop()
    if (change.added) {
      added += lines.length
      for (const text of lines) rows.push({ kind: 'added', number: right++, text })
    } else if (change.removed) {
      removed += lines.length
      for (const text of lines) rows.push({ kind: 'removed', number: left++, text })
    } else {
      const head = place === 0 ? 0 : context
      const tail = place === changes.length - 1 ? 0 : context
      const skipped = Math.max(0, lines.length - head - tail)
      for (const [at, text] of lines.entries()) {
        if (at === head && skipped > 1) rows.push({ kind: 'skipped', number: skipped, text: '' })
        if (at < head || at >= head + skipped || skipped === 1) {
          rows.push({ kind: 'same', number: right + at, text })
        }
      }
      left += lines.length
      right += lines.length
    }
  }
  return {
    rows: rows.slice(0, maxRows).map((row) => ({ ...row, text: row.text.slice(0, longestLine) })),
    added,
    removed,
  }
}
