import { expect, it } from 'vitest'
import { retryWait } from '#engine/sending/forward/run.ts'
import { WaitingIds } from '#engine/sending/forward/target-queue.ts'

const seconds = (random: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 2000].map((failures) => retryWait(failures, random) / 1000)

it('returns ids in the order in which they were added, regardless of their number', () => {
  const waiting = new WaitingIds()
  const given: number[] = []
  for (let id = 1; id <= 10_000; id += 1) {
    waiting.add(id)
    if (id % 3 !== 0) given.push(waiting.take() ?? 0)
  }
  expect(waiting.size).toBe(3333)
  for (let id = waiting.take(); id !== undefined; id = waiting.take()) given.push(id)
  expect(given).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1))
  expect(waiting.size).toBe(0)
})

it('detects whether a waiting id is between two ids', () => {
  const waiting = new WaitingIds()
  for (const id of [4, 7, 9, 20]) waiting.add(id)
  expect(waiting.take()).toBe(4)
  const between = (after: number, before: number): boolean => waiting.hasBetween(after, before)
  expect(between(3, 7)).toBe(false)
  expect(between(6, 8)).toBe(true)
  expect(between(7, 9)).toBe(false)
  expect(between(9, 20)).toBe(false)
  expect(between(9, 21)).toBe(true)
  expect(between(20, 40)).toBe(false)
})

it('waits 1, 2, 4 ... 60 seconds, and up to a fifth more', () => {
  expect(seconds(0)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(seconds(0.5)[0]).toBe(1.1)
  expect(seconds(1)[8]).toBe(72)
})
