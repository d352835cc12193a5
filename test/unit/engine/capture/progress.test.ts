import { setImmediate as turn } from 'node:timers/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Progress } from '#engine/capture/progress.ts'

const never = 60_000
const module = pathToFileURL(path.resolve('src/engine/capture/progress.ts'))
const settled = async (promise: Promise<void>) => {
  let done = false
  void promise.then(() => (done = true))
  await turn()
  await turn()
  return () => done
}

describe('Progress', () => {
  it('is shared through its buffer', () => {
    const one = new Progress()
    const other = new Progress(one.buffer)
    one.publish(2 ** 40 + 1, 77)
    one.storedId = 76
    one.storedPosition = 2 ** 40
    one.isStoreFailing = true
    one.busy = 0.7251
    expect(other).toMatchObject({
      position: 2 ** 40 + 1,
      lastId: 77,
      storedId: 76,
      storedPosition: 2 ** 40,
      isStoreFailing: true,
      busy: 0.725,
    })
    one.isStoreFailing = false
    expect(other.isStoreFailing).toBe(false)
  })

  it('does not wait for a position that was already passed', async () => {
    const progress = new Progress()
    progress.publish(10, 1)
    await progress.pastPosition(9, never)
  })

  it('waits until the next position is published', async () => {
    const progress = new Progress()
    progress.publish(10, 1)
    const waiting = progress.pastPosition(10, never)
    expect((await settled(waiting))()).toBe(false)
    progress.publish(11, 2)
    await waiting
  })

  it('ends a wait on wake(), and after the timeout', async () => {
    const progress = new Progress()
    const waiting = progress.pastPosition(0, never)
    progress.wake()
    await waiting
    await progress.pastPosition(0, 1)
    expect(progress.position).toBe(0)
  })

  it('waits until deliveries after an ID are stored, or until wakeStored()', async () => {
    const progress = new Progress()
    progress.storedId = 5
    await progress.pastStored(4, never)
    const other = new Progress(progress.buffer)
    const [one, two] = [progress.pastStored(5, never), other.pastStored(5, never)]
    expect((await settled(one))()).toBe(false)
    other.storedId = 6
    await Promise.all([one, two])
    const waiting = progress.pastStored(6, never)
    progress.wakeStored()
    await waiting
    await progress.pastStored(6, 1)
    expect(progress.storedId).toBe(6)
  })

  it('misses no wake-up of another thread at any time', async () => {
    const progress = new Progress()
    const rounds = 3000
    // The other thread publishes the next position as soon as this one has reached the last, while this one is still running.
    const worker = new Worker(
      `const { workerData: { module, buffer, rounds } } = require('node:worker_threads')
       void import(module).then(({ Progress }) => {
         const progress = new Progress(buffer)
         for (let at = 1; at <= rounds; at += 1) {
           while (progress.storedId < at - 1);
           for (let spin = 0; spin < (at * 37) % 400; spin += 1) progress.busy = spin / 400
           progress.publish(at, at)
         }
       })`,
      { eval: true, workerData: { module: module.href, buffer: progress.buffer, rounds } },
    )
    onTestFinished(async () => void (await worker.terminate()))
    for (let at = 0; at < rounds; at += 1) {
      progress.storedId = at
      while (progress.position <= at) await progress.pastPosition(at, never)
    }
    expect(progress.position).toBe(rounds)
  })
  it('misses no storedId of another thread at any time', async () => {
    const progress = new Progress()
    const rounds = 3000
    const worker = new Worker(
      `const { workerData: { module, buffer, rounds } } = require('node:worker_threads')
       void import(module).then(({ Progress }) => {
         const progress = new Progress(buffer)
         for (let at = 1; at <= rounds; at += 1) {
           while (progress.position < at - 1);
           for (let spin = 0; spin < (at * 37) % 400; spin += 1) progress.busy = spin / 400
           progress.storedId = at
         }
       })`,
      { eval: true, workerData: { module: module.href, buffer: progress.buffer, rounds } },
    )
    onTestFinished(async () => void (await worker.terminate()))
    for (let at = 0; at < rounds; at += 1) {
      progress.publish(at, at)
      while (progress.storedId <= at) await progress.pastStored(at, never)
    }
    expect(progress.storedId).toBe(rounds)
  })
})
