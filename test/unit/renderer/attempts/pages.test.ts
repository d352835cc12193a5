import { expect, it } from 'vitest'
import { concerns, skipped, withNewest, withOlder } from '#renderer/features/attempts/store.ts'
import { summary } from './samples.ts'

const rows = (...ids: number[]) => ids.map((id) => ({ ...summary, id }))
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

it('detects attempts that were not pushed by their numbers', () => {
  // Nothing was pushed before, so nothing can be missing.
  expect(skipped(0, rows(40, 41))).toBe(false)
  expect(skipped(41, rows(42, 43))).toBe(false)
  expect(skipped(41, rows(43))).toBe(true)
  expect(skipped(41, rows(42, 44))).toBe(true)
  expect(skipped(41, [])).toBe(false)
})

it('refreshes a list only for its own attempts', () => {
  const made = [{ ...summary, deliveryId: 7, jobId: 2 }]
  expect(concerns(made, { deliveryId: 7 })).toBe(true)
  expect(concerns(made, { deliveryId: 8 })).toBe(false)
  expect(concerns(made, { jobId: 2 })).toBe(true)
  expect(concerns(made, { draftId: 2 })).toBe(false)
})

it('keeps older attempts below a new first page, and drops them if the two do not overlap', () => {
  expect(ids(withNewest(rows(5, 4, 3, 2), rows(6, 5, 4)))).toEqual([6, 5, 4, 3, 2])
  expect(ids(withNewest(rows(5, 4, 3), rows(20, 19)))).toEqual([20, 19])
  expect(ids(withNewest([], rows(2, 1)))).toEqual([2, 1])
  expect(ids(withNewest(rows(5, 4), []))).toEqual([])
})

it('adds older attempts only once', () => {
  const once = withOlder(rows(5, 4), rows(3, 2))
  expect(ids(once)).toEqual([5, 4, 3, 2])
  expect(ids(withOlder(once, rows(3, 2)))).toEqual([5, 4, 3, 2])
})
