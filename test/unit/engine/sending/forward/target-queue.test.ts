import { describe, expect, it } from 'vitest'
import { defaultForward, type ForwardTarget } from '#contract/endpoint-rules.ts'
import { TargetQueue, type TryOutcome } from '#engine/sending/forward/target-queue.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

const answered = (status: number, askedMs = 0): TryOutcome => ({
  kind: 'tried',
  status,
  error: null,
  mayRetry: status >= 500,
  askedMs,
})
const refused: TryOutcome = { kind: 'tried', status: null, error: 'Refused.', mayRetry: true }

interface Begun {
  readonly id: number
  readonly tryNumber: number
  readonly url: string
  readonly signal: AbortSignal
  readonly end: (outcome: TryOutcome) => Promise<void>
}

/** A queue whose attempts end when the test says so. */
function laneWith(fields: Partial<ForwardTarget> = {}) {
  const clock = fakeClock()
  const target: ForwardTarget = {
    ...defaultForward,
    id: 7,
    endpointId: 1,
    url: 'http://127.0.0.1:3000/',
    temporary: false,
    types: [],
    ...fields,
  }
  const begun: Begun[] = []
  const skips: [number, string][] = []
  const queue = new TargetQueue(target, {
    left: () => undefined,
    clock,
    random: () => 0,
    changed: () => undefined,
    skipped: ({ deliveryId, reason }) => void skips.push([deliveryId, reason]),
    attempt: ({ url }, id, tryNumber, signal) =>
      new Promise((resolve) => {
        begun.push({
          id,
          tryNumber,
          url,
          signal,
          end: async (outcome) => {
            resolve(outcome)
            await clock.pass(0)
          },
        })
      }),
  })
  const next = (): Begun => {
    const one = begun.shift()
    if (!one) throw new Error('nothing has begun')
    return one
  }
  return { queue, target, clock, begun, next, skips }
}

describe('the queue', () => {
  it('holds as many as it may, and skips the oldest that waits', async () => {
    const { queue, next, skips } = laneWith({ queueLimit: 3 })
    for (let id = 1; id <= 8; id += 1) queue.enqueue(id)
    expect(queue.view()).toMatchObject({ waiting: 3, inFlight: 1, skipped: 4 })
    expect(skips).toEqual([2, 3, 4, 5].map((id) => [id, '3 were already waiting.']))
    await next().end(answered(200))
    expect(next().id).toBe(6)
    expect(queue.view()).toMatchObject({ waiting: 2, inFlight: 1, ok: 1 })
  })

  it('has the configured number in progress, started in order', async () => {
    const { queue, begun, next } = laneWith({ concurrency: 3 })
    for (let id = 1; id <= 5; id += 1) queue.enqueue(id)
    expect(begun.map(({ id }) => id)).toEqual([1, 2, 3])
    next()
    await next().end(answered(200))
    expect(begun.map(({ id }) => id)).toEqual([3, 4])
    expect(queue.view()).toMatchObject({ waiting: 1, inFlight: 3 })
  })

  it('is emptied manually, while pending requests continue', async () => {
    const { queue, begun, next, skips } = laneWith()
    for (let id = 1; id <= 4; id += 1) queue.enqueue(id)
    expect(queue.drop('Dropped.')).toBe(3)
    expect(queue.view()).toMatchObject({ waiting: 0, inFlight: 1, skipped: 3 })
    expect(skips).toEqual([2, 3, 4].map((id) => [id, 'Dropped.']))
    await next().end(answered(200))
    expect(begun).toEqual([])
    expect(queue.view()).toMatchObject({ inFlight: 0, ok: 1 })
  })
})

describe('retries', () => {
  it('wait as long as the target asks, but not longer than 10 min or shorter than without it', async () => {
    const { queue, clock, begun, next } = laneWith({ retries: 4 })
    queue.enqueue(1)
    const waits: number[] = []
    for (const askedMs of [8000, 500, 86_400_000, 0]) {
      await next().end(answered(503, askedMs))
      waits.push((queue.view().retryAt ?? 0) - clock.now())
      await clock.pass((waits.at(-1) ?? 0) - 1)
      expect(begun).toEqual([])
      await clock.pass(1)
    }
    expect(waits).toEqual([8000, 2000, 600_000, 8000])
  })

  it('happen with growing delays, in order, until one succeeds', async () => {
    const { queue, clock, begun, next } = laneWith({ retries: 3 })
    queue.enqueue(1)
    queue.enqueue(2)
    await next().end(refused)
    expect(queue.view()).toMatchObject({ retryAt: 1000, inFlight: 1, waiting: 1, state: 'down' })
    await clock.pass(999)
    expect(begun).toEqual([])
    await clock.pass(1)
    expect(begun[0]).toMatchObject({ id: 1, tryNumber: 2 })
    await next().end(answered(503))
    expect(queue.view()).toMatchObject({ retryAt: 3000, state: 'failing', failed: 0 })
    await clock.pass(2000)
    expect(begun[0]).toMatchObject({ id: 1, tryNumber: 3 })
    await next().end(answered(204))
    expect(queue.view()).toMatchObject({ retryAt: null, state: 'good', ok: 1, failed: 0 })
    expect(begun[0]).toMatchObject({ id: 2, tryNumber: 1 })
  })

  it('end after the limit, and the next delivery is sent', async () => {
    const { queue, clock, begun, next } = laneWith({ retries: 1 })
    queue.enqueue(1)
    queue.enqueue(2)
    await next().end(refused)
    await clock.pass(1000)
    await next().end(refused)
    expect(begun[0]).toMatchObject({ id: 2, tryNumber: 1 })
    expect(queue.view()).toMatchObject({ failed: 1, lastError: 'Refused.', lastStatus: null })
  })

  it('do not happen if they cannot help, or if they are turned off', async () => {
    const without = laneWith()
    without.queue.enqueue(1)
    await without.next().end(refused)
    expect(without.clock.waiting()).toBe(0)
    const { queue, clock, next } = laneWith({ retries: 5 })
    queue.enqueue(1)
    await next().end(answered(404))
    expect(clock.waiting()).toBe(0)
    expect(queue.view()).toMatchObject({ state: 'failing', failed: 1, lastStatus: 404 })
  })

  it('leave the queue bounded while the target is down', async () => {
    const { queue, next } = laneWith({ retries: 20, queueLimit: 2 })
    queue.enqueue(1)
    await next().end(refused)
    for (let id = 2; id <= 100; id += 1) queue.enqueue(id)
    expect(queue.view()).toMatchObject({ waiting: 2, inFlight: 1, skipped: 97 })
  })

  it('are cancelled when waiting deliveries are dropped', async () => {
    const { queue, clock, begun, next } = laneWith({ retries: 5 })
    queue.enqueue(1)
    queue.enqueue(2)
    await next().end(refused)
    expect(queue.drop('Dropped.')).toBe(2)
    await clock.pass(60_000)
    expect(begun).toEqual([])
    expect(queue.view()).toMatchObject({ inFlight: 0, waiting: 0, failed: 1, retryAt: null })
  })

  it('skip deliveries that cannot be sent or were deleted, and continue', async () => {
    const { queue, next, skips } = laneWith()
    for (const id of [1, 2, 3]) queue.enqueue(id)
    await next().end({ kind: 'unsendable', reason: 'It cannot be sent.' })
    await next().end({ kind: 'deleted' })
    expect(next().id).toBe(3)
    expect(skips).toEqual([[1, 'It cannot be sent.']])
    expect(queue.view()).toMatchObject({ skipped: 2, failed: 0, state: 'idle' })
  })
})

describe('the health', () => {
  it('reports the last result, and since when', async () => {
    const { queue, clock, next } = laneWith()
    expect(queue.view()).toMatchObject({ state: 'idle', since: 0 })
    for (const id of [1, 2, 3, 4]) queue.enqueue(id)
    const lights: unknown[] = []
    for (const outcome of [answered(200), answered(201), answered(302), refused]) {
      await clock.pass(10)
      await next().end(outcome)
      const { state, since, lastStatus } = queue.view()
      lights.push([state, since, lastStatus])
    }
    expect(lights).toEqual([
      ['good', 10, 200],
      ['good', 10, 201],
      ['failing', 30, 302],
      ['down', 40, null],
    ])
  })

  it('is off when the target is turned off, and restarts without history when it is turned on', async () => {
    const { queue, target, next, skips } = laneWith()
    queue.enqueue(1)
    queue.enqueue(2)
    queue.configure({ ...target, enabled: false })
    expect(queue.view()).toMatchObject({ state: 'off', waiting: 0, skipped: 1 })
    expect(skips).toEqual([[2, 'The target was turned off.']])
    await next().end(answered(200))
    expect(queue.view()).toMatchObject({ state: 'off', ok: 1 })
    expect(queue.accepts('OPEN_TAB')).toBe(false)
    queue.configure(target)
    expect(queue.view()).toMatchObject({ state: 'idle', lastStatus: null, ok: 1 })
  })
})

describe('a change', () => {
  it('of the URL applies to waiting deliveries', async () => {
    const { queue, target, next } = laneWith()
    queue.enqueue(1)
    queue.enqueue(2)
    queue.configure({ ...target, url: 'http://127.0.0.1:4000/' })
    await next().end(answered(200))
    expect(next().url).toBe('http://127.0.0.1:4000/')
  })

  it('of the bounds takes effect immediately', () => {
    const { queue, target, begun, skips } = laneWith()
    for (let id = 1; id <= 6; id += 1) queue.enqueue(id)
    queue.configure({ ...target, concurrency: 2, queueLimit: 3 })
    expect(begun.map(({ id }) => id)).toEqual([1, 2])
    expect(skips).toEqual([[3, '3 were already waiting.']])
  })

  it('of the types changes which deliveries are accepted', () => {
    const { queue, target } = laneWith()
    expect([queue.accepts('OPEN_TAB'), queue.accepts(null)]).toEqual([true, true])
    queue.configure({ ...target, types: ['OPEN_TAB'] })
    expect([queue.accepts('OPEN_TAB'), queue.accepts('CLOSE_TAB'), queue.accepts(null)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('closing', () => {
  it('reports pending items, waits a moment for those in progress, then aborts them', async () => {
    const { queue, clock, next, skips } = laneWith()
    for (const id of [1, 2, 3]) queue.enqueue(id)
    let closed = false
    const closing = queue.close('Tabscope was closed.', 500).then(() => (closed = true))
    expect(skips).toEqual([2, 3].map((id) => [id, 'Tabscope was closed.']))
    const { signal, end } = next()
    await clock.pass(499)
    expect(signal.aborted).toBe(false)
    await clock.pass(1)
    expect(signal.aborted).toBe(true)
    expect(closed).toBe(false)
    await end({ kind: 'tried', status: null, error: 'Aborted.', mayRetry: true })
    await closing
    expect(clock.waiting()).toBe(0)
  })

  it('does not wait for another try', async () => {
    const { queue, next } = laneWith({ retries: 5 })
    queue.enqueue(1)
    await next().end(refused)
    await queue.close('Tabscope was closed.', 500)
    expect(queue.view()).toMatchObject({ inFlight: 0, failed: 1 })
  })
})

it('the success rate covers the last 100 deliveries, and restarts with another address', async () => {
  const { queue, target, next } = laneWith()
  for (let id = 1; id <= 103; id += 1) {
    queue.enqueue(id)
    await next().end(id === 2 || id === 50 ? refused : answered(200))
  }
  expect(queue.view()).toMatchObject({
    state: 'good',
    ok: 101,
    failed: 2,
    recent: { ok: 99, failed: 1 },
  })
  queue.configure({ ...target, url: 'http://127.0.0.1:4000/' })
  expect(queue.view()).toMatchObject({ ok: 101, failed: 2, recent: { ok: 0, failed: 0 } })
})
