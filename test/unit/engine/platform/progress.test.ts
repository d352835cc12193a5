import { setImmediate as turn } from 'node:timers/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { Progress } from '#engine/platform/progress.ts'

const never = 60_000
const module = pathToFileURL(path.resolve('src/engine/platform/progress.ts'))

it('is shared through its buffer', () => {
  const one = new Progress()
  const other = new Progress(one.buffer)
  one.storedId = 2 ** 40 + 1
  one.busy = 0.7251
  expect(other).toMatchObject({ storedId: 2 ** 40 + 1, busy: 0.725 })
})

it('waits until deliveries after an ID are stored, or until wake()', async () => {
  const progress = new Progress()
  progress.storedId = 5
  await progress.pastStored(4, never)
  const other = new Progress(progress.buffer)
  let isOver = false
  const waiting = Promise.all([progress.pastStored(5, never), other.pastStored(5, never)])
  void waiting.then(() => (isOver = true))
  await turn()
  await turn()
  expect(isOver).toBe(false)
  other.storedId = 6
  await waiting
  const woken = progress.pastStored(6, never)
  progress.wake()
  await woken
  await progress.pastStored(6, 1)
  expect(progress.storedId).toBe(6)
})

it('misses no ID of another thread at any time', async () => {
  const progress = new Progress()
  const rounds = 3000
  const seen = new Int32Array(new SharedArrayBuffer(4))
  // The other thread stores the next ID as soon as this one has seen the last, while this one is still running.
  const worker = new Worker(
    `const { workerData: { module, buffer, seen, rounds } } = require('node:worker_threads')
     void import(module).then(({ Progress }) => {
       const progress = new Progress(buffer)
       for (let at = 1; at <= rounds; at += 1) {
         // Spinning alone would keep a busy machine from running the other thread.
         for (let spin = 0; Atomics.load(seen, 0) < at - 1; spin += 1)
           if (spin > 20_000) Atomics.wait(seen, 0, at - 2, 1)
         for (let spin = 0; spin < (at * 37) % 400; spin += 1) progress.busy = spin / 400
         progress.storedId = at
       }
     })`,
    { eval: true, workerData: { module: module.href, buffer: progress.buffer, seen, rounds } },
  )
  onTestFinished(async () => void (await worker.terminate()))
  for (let at = 0; at < rounds; at += 1) {
    Atomics.store(seen, 0, at)
    while (progress.storedId <= at) await progress.pastStored(at, never)
  }
  expect(progress.storedId).toBe(rounds)
})
