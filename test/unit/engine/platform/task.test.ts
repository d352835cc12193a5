import { expect, test } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import { Task } from '#engine/platform/task.ts'
import type { CountShape } from '#test/support/task-thread.ts'

const entry = new URL('../../../support/task-thread.ts', import.meta.url)

function start(input: CountShape['input']): { task: Task<CountShape>; counts: number[] } {
  const counts: number[] = []
  const counted = (count: number): number => counts.push(count)
  return { task: new Task({ entry, limits: {}, input, reports: { counted } }), counts }
}

test('a task reports what it does, asks, can be called, and ends with its output', async () => {
  const { task, counts } = start({ until: 3, finally: 'end' })
  expect(await task.api.call('add', 10)).toBeGreaterThanOrEqual(10)
  expect(await task.ended).toEqual({ kind: 'done', output: '16' })
  expect(counts).toEqual([1, 2, 3])
})

test('a task fails with the error that it throws, or with what ended its thread', async () => {
  const refused = await start({ until: 0, finally: 'refuse' }).task.ended
  const error = new AppError('bad_input', 'Count further.', { retry: 'later' })
  expect(refused).toEqual({ kind: 'failed', error })
  const crashed = start({ until: 0, finally: 'crash' }).task
  expect(await crashed.ended).toMatchObject({ kind: 'failed' })
  await expect(crashed.api.call('add', 1)).rejects.toThrow('the thread has ended')
})

test.each(['wait', 'hang'] as const)('a task that would %s can be cancelled', async (end) => {
  const { task, counts } = start({ until: 1, finally: end })
  await expect.poll(() => counts).toEqual([1])
  expect(await task.cancel()).toEqual({ kind: 'cancelled' })
})
