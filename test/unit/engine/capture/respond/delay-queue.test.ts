import { expect, it } from 'vitest'
import { DelayQueue } from '#engine/capture/respond/responder.ts'
import { seeded } from '#sandbox/random.ts'

function takeAll(queue: DelayQueue<number>): number[] {
  const all: number[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) all.push(item)
  return all
}

it('returns items by due time, and in the order added at equal times', () => {
  const random = seeded(7)
  for (let round = 0; round < 50; round += 1) {
    const queue = new DelayQueue<number>()
    const due = Array.from({ length: random.between(0, 200) }, () => random.between(0, 20))
    const inOrder = due.map((at, item) => ({ at, item })).toSorted((a, b) => a.at - b.at)
    due.forEach((at, item) => queue.add(item, at))
    expect(queue.size).toBe(due.length)
    expect(queue.nextAt).toBe(inOrder[0]?.at ?? null)
    expect(takeAll(queue)).toEqual(inOrder.map(({ item }) => item))
    expect(queue.nextAt).toBe(null)
  }
})

it('returns items in order while others are added', () => {
  const queue = new DelayQueue<number>()
  queue.add(3, 30)
  queue.add(1, 10)
  expect(queue.take()).toBe(1)
  queue.add(2, 20)
  queue.add(4, 40)
  expect(takeAll(queue)).toEqual([2, 3, 4])
})

it('returns expedited items first, in their own order', () => {
  const queue = new DelayQueue<number>()
  for (let item = 0; item < 100; item += 1) queue.add(item, 1000 - item)
  queue.expedite((item) => item % 10 === 0)
  expect(queue.nextAt).toBe(Number.NEGATIVE_INFINITY)
  const all = takeAll(queue)
  expect(all.slice(0, 10)).toEqual([90, 80, 70, 60, 50, 40, 30, 20, 10, 0])
  expect(all.slice(10)).toEqual(
    Array.from({ length: 100 }, (_, index) => 99 - index).filter((item) => item % 10 !== 0),
  )
})
