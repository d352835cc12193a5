import { describe, expect, it } from 'vitest'
import { createChanges } from '#sandbox/changes.ts'
import { run, type RunOptions } from '#sandbox/run.ts'
import type { Outcome } from '#sandbox/sender.ts'
import type { Step } from '#sandbox/steps.ts'
import { fakeClock, type FakeClock } from '#test/support/fake-clock.ts'

const good: Outcome = {
  ok: true,
  status: 200,
  error: null,
  errorCode: null,
  ms: 1,
  bytes: 2,
  sha256: '',
}

function* steps(count: number, lanes: number, taken: { count: number } = { count: 0 }) {
  for (let index = 0; index < count; index += 1) {
    taken.count += 1
    yield {
      type: `${index}`,
      lane: `${index % lanes}`,
      customer: null,
      payload: () => ({}),
    } satisfies Step
  }
}

/** Starts a run against a target that responds after `delay` milliseconds. */
function start(clock: FakeClock, options: Partial<RunOptions> & { delay?: number }) {
  const sentAt: number[] = []
  const pending = new Map<string, number>()
  const order: string[] = []
  let most = 0
  const done = run({
    steps: steps(Infinity, 1000),
    rate: 1000,
    clock,
    send: async ({ lane, type }) => {
      sentAt.push(clock.now())
      pending.set(lane, (pending.get(lane) ?? 0) + 1)
      most = Math.max(most, ...pending.values())
      order.push(type)
      await new Promise<void>((resolve) => void clock.after(options.delay ?? 1, resolve))
      pending.set(lane, (pending.get(lane) ?? 0) - 1)
      return good
    },
    onOutcome: () => {},
    ...options,
  })
  return { done, sentAt, order, mostOfOneLane: () => most }
}

describe('run', () => {
  it.each([1, 7, 300, 1000, 2500])(
    'keeps a rate of %i per second without drift or bursts',
    async (rate) => {
      const clock = fakeClock()
      const stop = new AbortController()
      const { done, sentAt } = start(clock, { rate, signal: stop.signal })
      await clock.pass(3000)
      expect(Math.abs(sentAt.length - rate * 3)).toBeLessThanOrEqual(Math.ceil(rate / 500) + 1)
      for (const [index, at] of sentAt.entries()) {
        const inTenMs = sentAt.slice(index).findIndex((other) => other > at + 10)
        expect(inTenMs === -1 ? 0 : inTenMs).toBeLessThanOrEqual(Math.ceil(rate / 50) + 1)
      }
      stop.abort()
      await clock.pass(10)
      await done
    },
  )

  it('sends the steps of a lane one at a time, in order', async () => {
    const clock = fakeClock()
    const run = start(clock, { steps: steps(300, 3), delay: 5 })
    await clock.pass(2000)
    await run.done
    expect(run.mostOfOneLane()).toBe(1)
    for (const lane of [0, 1, 2]) {
      const sent = run.order.map(Number).filter((index) => index % 3 === lane)
      expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => index * 3 + lane))
    }
  })

  it('takes no more steps than a slow target lets through', async () => {
    const clock = fakeClock()
    const stop = new AbortController()
    const taken = { count: 0 }
    const run = start(clock, { steps: steps(Infinity, 4, taken), delay: 100, signal: stop.signal })
    await clock.pass(5000)
    expect(run.sentAt.length).toBeGreaterThan(150)
    expect(taken.count - run.sentAt.length).toBeLessThanOrEqual(256)
    stop.abort()
    await clock.pass(200)
    await run.done
    expect(taken.count - run.sentAt.length).toBeGreaterThan(100)
  })

  it('catches up with at most one second after a slow target', async () => {
    const clock = fakeClock()
    const stop = new AbortController()
    let slow = true
    const waiting: (() => void)[] = []
    let sent = 0
    const done = run({
      steps: steps(Infinity, 10_000),
      rate: 100,
      clock,
      send: async () => {
        sent += 1
        if (slow) await new Promise<void>((resolve) => void waiting.push(resolve))
        return good
      },
      onOutcome: () => {},
      signal: stop.signal,
    })
    await clock.pass(60_000)
    expect(sent).toBe(256)
    slow = false
    for (const answer of waiting) answer()
    await clock.pass(1000)
    expect(sent).toBeGreaterThan(256 + 190)
    expect(sent).toBeLessThan(256 + 210)
    stop.abort()
    await clock.pass(100)
    await done
  })

  it('ends when the steps end, and waits for the last response', async () => {
    const clock = fakeClock()
    let ended = false
    const { done, sentAt } = start(clock, { steps: steps(3, 3), rate: null, delay: 50 })
    const end = done.then(() => (ended = true))
    await clock.pass(49)
    expect(sentAt).toEqual([0, 0, 0])
    expect(ended).toBe(false)
    await clock.pass(1)
    await end
    expect(ended).toBe(true)
  })

  it('stops at a step that cannot be sent, and reports why', async () => {
    const clock = fakeClock()
    const { done } = start(clock, {
      send: async () => Promise.reject(new Error('no such address')),
    })
    const refused = expect(done).rejects.toThrow('no such address')
    await clock.pass(100)
    await refused
  })

  it.each([0, -1, Number.NaN, Infinity, 10_001])('rejects the rate %d', async (rate) => {
    await expect(start(fakeClock(), { rate }).done).rejects.toThrow('Use a rate above 0')
  })
})

it('createChanges reports the first change immediately, then ten a second, and always the last', async () => {
  const clock = fakeClock()
  let state = 0
  const reported: [number, number][] = []
  const changes = createChanges(clock, () => state)
  const end = changes.listen((value) => reported.push([clock.now(), value]))
  for (let turn = 0; turn < 25; turn += 1) {
    state += 1
    changes.touch()
    await clock.pass(10)
  }
  await clock.pass(1000)
  expect(reported).toEqual([
    [0, 1],
    [100, 10],
    [200, 20],
    [300, 25],
  ])
  end()
  changes.touch()
  expect(reported).toHaveLength(4)
})
