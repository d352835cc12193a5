import { type BodyDiff, diffBodies, type ValueChange } from '#shared/diff/bodies.ts'
import type { LineChange } from '#shared/diff/lines.ts'
import { truncate } from '#kit/text/visible.ts'
import { textOf } from '#parts/body/body-text.ts'

/** A line of a comparison. `skipped` stands for unchanged lines that are not shown. */
export interface LineRow {
  readonly kind: LineChange['change'] | 'skipped'
  /** The line number, for unchanged lines the later one. For skipped lines, their count. */
  readonly number: number
  readonly text: string
}

/** What a comparison of two bodies shows, small enough to pass to the page. */
export interface ShownBodyDiff extends Pick<
  BodyDiff,
  'equal' | 'as' | 'bytes' | 'firstDifference'
> {
  readonly values: readonly ValueChange[]
  /** How many values differ, including those beyond `values`. */
  readonly counts: Readonly<Record<ValueChange['change'], number>>
  readonly lines: readonly LineRow[]
}

const maxRows = 3000
const maxValues = 200
/** In characters: of a line or a path, and of a value, which takes as many lines as it needs. */
const maxTextLength = 500
const maxValueLength = 20_000
const context = 3

export const diffModel = { compare: compareBodies }
export type DiffApi = typeof diffModel

interface Bodies {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** Compares two bodies. Runs in a worker. */
export function compareBodies({ before, after }: Bodies): ShownBodyDiff {
  const { equal, as, bytes, values, lines, firstDifference } = diffBodies(before, after, textOf)
  const countOf = (change: ValueChange['change']): number =>
    values.filter((each) => each.change === change).length
  return {
    equal,
    as,
    bytes,
    values: values.slice(0, maxValues).map((each) => ({
      ...each,
      path: truncate(each.path, maxTextLength),
      before: each.before === null ? null : truncate(each.before, maxValueLength),
      after: each.after === null ? null : truncate(each.after, maxValueLength),
    })),
    counts: { added: countOf('added'), removed: countOf('removed'), changed: countOf('changed') },
    lines: lineRows(lines),
    firstDifference,
  }
}

/** The lines that differ, with some unchanged ones around them. */
export function lineRows(lines: readonly LineChange[]): LineRow[] {
  const near = new Set<number>()
  for (const [at, { change }] of lines.entries()) {
    if (change === 'same') continue
    for (let line = at - context; line <= at + context; line += 1) near.add(line)
  }
  const rows: LineRow[] = []
  let [left, right, skipped] = [0, 0, 0]
  const skip = (): void => {
    if (skipped > 0) rows.push({ kind: 'skipped', number: skipped, text: '' })
    skipped = 0
  }
  for (const [at, { change, text }] of lines.entries()) {
    if (change !== 'added') left += 1
    if (change !== 'removed') right += 1
    if (rows.length === maxRows) break
    if (near.has(at)) {
      skip()
      const number = change === 'removed' ? left : right
      rows.push({ kind: change, number, text: truncate(text, maxTextLength) })
    } else skipped += 1
  }
  skip()
  return rows
}
