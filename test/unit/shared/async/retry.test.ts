import { describe, expect, it } from 'vitest'
import { createKeyedMutex } from '#shared/async/mutex.ts'
import { backoff, delay, retry } from '#shared/async/retry.ts'
import { fakeClock } from '#test/support/fake-clock.ts'
import { seeded } from '#test/support/random-json.ts'

const waits = { shortest: 100, longest: 30_000 }

/** Work that fails with each of these errors, and then succeeds. */
const failing = (errors: Error[]) => () => {
  const error = errors.shift()
  return error ? Promise.reject(error) : Promise.resolve('done')
}

describe('a backoff', () => {
  it('doubles from the shortest to the longest', () => {
    const row = Array.from({ length: 12 }, (_, before) => backoff(waits, before))
    expect(row.slice(0, 4)).toEqual([100, 200, 400, 800])
    expect(row.slice(-3)).toEqual([30_000, 30_000, 30_000])
    expect(backoff(waits, 5000)).toBe(30_000)
  })

  it('is shortened randomly by at most half, and stays within its bounds', () => {
    const random = seeded(3)
    for (let turn = 0; turn < 5000; turn += 1) {
      const before = Math.floor(random() * 20)
      const wait = backoff(waits, before, random())
      const whole = backoff(waits, before)
      expect(wait).toBeGreaterThanOrEqual(Math.max(100, Math.floor(whole / 2)))
      expect(wait).toBeLessThanOrEqual(whole)
    }
  })
})

it('a delay ends after its time, or immediately when its signal is aborted', async () => {
  const clock = fakeClock()
  const abort = new AbortController()
  const ended: string[] = []
  void delay(clock, 100).then(() => ended.push('time'))
  void delay(clock, 1000, abort.signal).then(() => ended.push('aborted'))
  await clock.pass(99)
  expect(ended).toEqual([])
  await clock.pass(1)
  expect(ended).toEqual(['time'])
  abort.abort()
  await clock.pass(0)
  expect(ended).toEqual(['time', 'aborted'])
  await delay(clock, 1000, abort.signal)
  expect(clock.waiting()).toBe(0)
})

describe('a retry', () => {
  const full = new Error('full')
  const rules = (clock = fakeClock(), abort = new AbortController()) => ({
    clock,
    wait: (failures: number) => failures * 10,
    mayPass: (error: unknown) => error === full,
    signal: abort.signal,
  })

  it('repeats the work after each delay', async () => {
    const clock = fakeClock()
    const seen: number[] = []
    const waiting = (): void => void seen.push(clock.now())
    const result = retry(failing([full, full, full]), { ...rules(clock), waiting })
    await clock.pass(60)
    expect(await result).toBe('done')
    expect(seen).toEqual([0, 10, 30])
  })

  it('rejects with a permanent failure', async () => {
    const other = new Error('other')
    await expect(retry(failing([other]), rules())).rejects.toBe(other)
  })

  it('makes one last attempt when it is aborted', async () => {
    const clock = fakeClock()
    const abort = new AbortController()
    const first = retry(failing([full]), rules(clock, abort))
    const second = retry(failing([full, full]), rules(clock, abort))
    await clock.pass(0)
    abort.abort()
    expect(await first).toBe('done')
    await expect(second).rejects.toBe(full)
    await expect(retry(failing([full]), rules(clock, abort))).rejects.toBe(full)
  })
})

it('a keyed mutex keeps the order of each key, and does not block other keys', async () => {
  const inTurn = createKeyedMutex<string>()
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const slow = inTurn('a', async () => {
    await gate.promise
    order.push('a1')
    throw new Error('no matter')
  })
  const next = inTurn('a', async () => void order.push('a2'))
  await inTurn('b', async () => void order.push('b'))
  gate.resolve()
  await expect(slow).rejects.toThrow('no matter')
  await next
  expect(order).toEqual(['b', 'a1', 'a2'])
})
