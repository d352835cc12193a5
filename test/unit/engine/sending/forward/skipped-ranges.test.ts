import { expect, it } from 'vitest'
import { SkippedRanges } from '#engine/sending/forward/target-queue.ts'

const skip = (id: number, reason = 'Too many.') => ({
  forwardId: 7,
  endpointId: 1,
  types: [],
  url: 'http://127.0.0.1:3000/',
  id,
  at: 1000 + id,
  reason,
})

const stretches = (book: SkippedRanges): unknown[] =>
  book.take().map(({ fromId, toId, count, reason }) => [fromId, toId, count, reason])

it('merges deliveries that were skipped for the same reason, with no others in between', () => {
  const open = new Set([5])
  const book = new SkippedRanges((after, before) =>
    [...open].some((id) => id > after && id < before),
  )
  for (const id of [1, 2, 4, 6, 7]) book.add(skip(id))
  book.add(skip(8, 'A loop.'))
  book.add(skip(9))
  expect(stretches(book)).toEqual([
    [1, 4, 3, 'Too many.'],
    [6, 7, 2, 'Too many.'],
    [8, 8, 1, 'A loop.'],
    [9, 9, 1, 'Too many.'],
  ])
  expect(book.isEmpty).toBe(true)
})

it('merges ranges later if a delivery in between was pending', () => {
  const open = new Set([5])
  const book = new SkippedRanges((after, before) =>
    [...open].some((id) => id > after && id < before),
  )
  for (const id of [4, 6]) book.add(skip(id))
  open.clear()
  expect(stretches(book)).toEqual([[4, 6, 2, 'Too many.']])
})

it('stays small whatever is added, and counts all of it', () => {
  const book = new SkippedRanges(() => true)
  for (let id = 1; id <= 5000; id += 1) book.add(skip(id, `Reason ${id % 2}.`))
  const taken = book.take()
  expect(taken.length).toBeLessThanOrEqual(1000)
  expect(taken.reduce((sum, { count }) => sum + count, 0)).toBe(5000)
})
