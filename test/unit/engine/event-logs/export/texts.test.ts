import { expect, it } from 'vitest'
import type { ExportEnd } from '#engine/event-logs/export/export-task.ts'
import { withinLimit } from '#engine/event-logs/service.ts'
import { createSlots } from '#shared/async/mutex.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

function runningThread() {
  const ended = Promise.withResolvers<ExportEnd>()
  const cancel = (): Promise<ExportEnd> => {
    ended.resolve({ kind: 'cancelled' })
    return ended.promise
  }
  return { ended: ended.promise, end: ended.resolve, cancel }
}

it('stops a text that takes too long, and reports what to do', async () => {
  const clock = fakeClock()
  const ended = expect(withinLimit(clock, runningThread())).rejects.toMatchObject({
    code: 'run_over',
    retry: 'later',
    message: 'The text took longer than 20 seconds. Export the delivery to a file instead.',
  })
  await clock.pass(20_000)
  await ended
})

it('returns how a text ended in time, even if it was canceled', async () => {
  const clock = fakeClock()
  const thread = runningThread()
  const text = withinLimit(clock, thread)
  await clock.pass(19_999)
  thread.end({ kind: 'cancelled' })
  await expect(text).resolves.toEqual({ kind: 'cancelled' })
  expect(clock.waiting()).toBe(0)
})

it('lets others continue while one is slow, and assigns free slots in order', async () => {
  const slots = createSlots(2)
  const begun: number[] = []
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<number>())
  const all = ends.map((end, at) =>
    slots(async () => {
      begun.push(at)
      return await end.promise
    }),
  )
  expect(begun).toEqual([0, 1])
  ends[1]?.resolve(1)
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  ends[2]?.reject(new Error('broken'))
  await expect(all[2]).rejects.toThrow('broken')
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2, 3])
  ends[0]?.resolve(0)
  ends[3]?.resolve(3)
  await expect(all[3]).resolves.toBe(3)
  await expect(slots(() => Promise.resolve(4))).resolves.toBe(4)
})
