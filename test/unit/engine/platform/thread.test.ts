import { expect, onTestFinished, test, vi } from 'vitest'
import { Thread } from '#engine/platform/thread.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

type Api = {
  run: (ms: number) => Promise<number>
  report: () => Promise<number>
  stop: () => Promise<void>
}

/** Reports its thread ID, takes a moment to stop, and then answers nothing. */
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    import { setTimeout as pause } from 'node:timers/promises'
    let stopped = false
    parentPort.on('message', async ({ id, name, input }) => {
      if (stopped) return
      if (name === 'stop') stopped = true
      await pause(name === 'stop' ? 20 : input)
      parentPort.postMessage({ rpc: 'reply', id, ok: true, output: threadId })
      await pause(20)
      if (name === 'report') parentPort.postMessage({ event: 'worked' })
    })`)}`,
)

function resting() {
  const clock = fakeClock()
  const worked = vi.fn()
  const thread = new Thread<Api, { event: 'worked' }>({
    entry,
    limits: {},
    data: () => ({}),
    event: worked,
    died: (error) => expect.fail(String(error)),
    idle: { clock, ms: 60_000, stop: (api) => api.call('stop') },
  })
  onTestFinished(() => thread.close())
  return { clock, thread, worked, run: (ms = 0) => thread.api.call('run', ms) }
}

test('ends after a minute without calls, and starts again with the next', async () => {
  const { clock, thread, run } = resting()
  expect(thread.started).toBeNull()
  const first = await run()
  await clock.pass(59_000)
  expect(await run()).toBe(first)
  await clock.pass(59_000)
  expect(thread.started).not.toBeNull()
  await clock.pass(1000)
  expect(thread.started).toBeNull()
  expect(await run()).not.toBe(first)
})

test('a call that comes while it ends is answered by the next thread', async () => {
  const { clock, run } = resting()
  const first = await run()
  await clock.pass(60_000)
  const calls = await Promise.all([run(), run(5), run()])
  expect(new Set(calls).size).toBe(1)
  expect(calls).not.toContain(first)
})

test('runs on while it is woken or reports something', async () => {
  const { clock, thread, worked, run } = resting()
  thread.wake()
  expect(thread.started).not.toBeNull()
  await clock.pass(59_000)
  thread.wake()
  await clock.pass(59_000)
  const first = await thread.api.call('report')
  await clock.pass(59_000)
  await vi.waitFor(() => expect(worked).toHaveBeenCalled())
  await clock.pass(59_000)
  expect(await run()).toBe(first)
  await clock.pass(60_000)
  thread.wake()
  expect(await run()).not.toBe(first)
})

test('does not end while a call runs, nor start after it was closed', async () => {
  const { clock, thread, run } = resting()
  const first = run(30)
  await clock.pass(120_000)
  expect(await run()).toBe(await first)
  await thread.close()
  await expect(run()).rejects.toThrow('the thread has ended')
})

test('closes although it cannot stop, and says why', async () => {
  const errors: string[] = []
  const thread = new Thread<Api>({
    entry,
    limits: {},
    data: () => ({}),
    died: ({ message }) => void errors.push(message),
    idle: { clock: fakeClock(), ms: 1, stop: () => Promise.reject(new Error('no stop')) },
  })
  await thread.api.call('run', 0)
  await thread.close()
  expect(errors).toEqual(['no stop'])
  expect(thread.started).toBeNull()
})
