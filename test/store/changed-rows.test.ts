import { expect, it, onTestFinished } from 'vitest'
import { createChangedRows } from '#engine/deliveries/changed-rows.ts'
import { until } from '#test/support/until.ts'

function recordChanges() {
  const reported: number[][] = []
  const changed = createChangedRows((ids) => reported.push(ids))
  onTestFinished(() => changed.stop())
  return { changed, reported }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

it('reports every row that changed, at most a hundred at once', async () => {
  const { changed, reported } = recordChanges()
  changed.add(upTo(250))
  await until('all rows to be reported', () => reported.length >= 3 || null)
  expect(reported.map((ids) => ids.length)).toEqual([100, 100, 50])
  // The last changed rows are reported first.
  expect(reported[0]).toEqual(upTo(250).slice(150))
  expect(reported.flat().toSorted((a, b) => a - b)).toEqual(upTo(250))
})

it('reports a row once if it changed several times before the report, and again after a later change', async () => {
  const { changed, reported } = recordChanges()
  for (let n = 0; n < 50; n += 1) changed.add([1, 2])
  await until('them to be reported', () => reported.length > 0 || null)
  expect(reported).toEqual([[1, 2]])
  changed.add([2])
  await until('it to be reported again', () => reported.length > 1 || null)
  expect(reported).toEqual([[1, 2], [2]])
})
