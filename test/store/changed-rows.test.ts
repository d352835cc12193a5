import { expect, it, onTestFinished } from 'vitest'
import { createChangedRows } from '#engine/deliveries/changed-rows.ts'
import { readByIds } from '#engine/deliveries/store.ts'
import { deliveryRecord } from '#test/support/journaled.ts'
import { storeWith } from '#test/support/store-with.ts'
import { until } from '#test/support/until.ts'

function telling(count: number) {
  const { db } = storeWith(Array.from({ length: count }, (_, i) => deliveryRecord(i + 1)))
  const told: number[][] = []
  const changed = createChangedRows(
    (ids) => readByIds(db, ids),
    (rows) => told.push(rows.map(({ id }) => id)),
  )
  onTestFinished(() => changed.stop())
  return { changed, told }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

it('reports every row that changed, at most a hundred at once', async () => {
  const { changed, told } = telling(250)
  changed.add(upTo(250))
  await until('all to be told', () => told.length >= 3 || null)
  expect(told.map((rows) => rows.length)).toEqual([100, 100, 50])
  // The last changed rows are reported first.
  expect(told[0]).toEqual(upTo(250).slice(150))
  expect(told.flat().toSorted((a, b) => a - b)).toEqual(upTo(250))
})

it('reports a row once if it changed several times before the report, and again after a later change', async () => {
  const { changed, told } = telling(3)
  for (let n = 0; n < 50; n += 1) changed.add([1, 2])
  await until('them to be told', () => told.length > 0 || null)
  expect(told).toEqual([[1, 2]])
  changed.add([2])
  await until('it to be told again', () => told.length > 1 || null)
  expect(told).toEqual([[1, 2], [2]])
})

it('reports nothing for deleted rows', async () => {
  const { changed, told } = telling(1)
  changed.add([99])
  changed.add([1, 99])
  await until('the other to be told', () => told.length > 0 || null)
  expect(told).toEqual([[1]])
})
