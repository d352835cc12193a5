import { expect, it } from 'vitest'
import { Backlog } from '#engine/sending/forward/forwarding.ts'

const MiB = 1024 * 1024
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

it.each([
  ['1,000 attempts', 1000, 10],
  ['32 MiB of answers', 32, MiB],
])('keeps back what is to be sent while %s are not stored', async (_what, count, bytes) => {
  const backlog = new Backlog()
  const { promise, resolve } = Promise.withResolvers<void>()
  for (let i = 1; i < count; i += 1) backlog.add(bytes, new Promise(() => undefined))
  const { signal } = new AbortController()
  await backlog.room(signal)
  backlog.add(bytes, promise)
  let room = false
  void backlog.room(signal).then(() => (room = true))
  await turn()
  expect(room).toBe(false)
  resolve()
  await turn()
  expect(room).toBe(true)
})

it('also frees the room of attempts that could not be stored, and ends an aborted wait', async () => {
  const backlog = new Backlog()
  const { promise, reject } = Promise.withResolvers<void>()
  backlog.add(40 * MiB, promise)
  const abort = new AbortController()
  const waiting = backlog.room(abort.signal)
  abort.abort()
  await waiting
  expect(backlog.isFull).toBe(true)
  reject(new Error('not stored'))
  await turn()
  expect(backlog.isFull).toBe(false)
})
