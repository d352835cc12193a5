import { expect, it } from 'vitest'
import { retryWait } from '#engine/sending/forward/target-queue.ts'

const seconds = (random: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 2000].map((failures) => retryWait(failures, random) / 1000)

it('waits 1, 2, 4 ... 60 seconds, and up to a fifth more', () => {
  expect(seconds(0)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(seconds(0.5)[0]).toBe(1.1)
  expect(seconds(1)[8]).toBe(72)
})
