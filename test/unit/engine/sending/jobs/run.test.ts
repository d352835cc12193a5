import { describe, expect, it } from 'vitest'
import type { Job, JobPace } from '#contract/sending.ts'
import { JobRun, type Item, type ItemResult, type Halted } from '#engine/sending/jobs/run.ts'
import { fakeClock, type FakeClock } from '#test/support/fake-clock.ts'
import { sampleJob } from '#test/support/sample-job.ts'

type State = 'waiting' | 'claimed' | 'ok' | 'failed' | 'skipped'

const ok = (status = 200): ItemResult => ({
  as: status < 300 ? 'ok' : 'failed',
  status,
  error: null,
  bytes: 0,
  stored: Promise.resolve(),
})

interface Bench {
  readonly clock: FakeClock
  readonly run: JobRun
  /** Positions, with the time at which each started. */
  readonly begun: { position: number; at: number }[]
  readonly states: State[]
  readonly claims: number[]
  rests(): number
}

/** A job with items in memory instead of the store. `receivedMs`: when each was received. */
function bench(
  pace: JobPace,
  receivedMs: readonly number[],
  answer: (position: number, signal: AbortSignal, clock: FakeClock) => Promise<ItemResult | Halted>,
  yieldToOthers = async (): Promise<void> => undefined,
): Bench {
  const clock = fakeClock()
  const begun: { position: number; at: number }[] = []
  const claims: number[] = []
  const states: State[] = receivedMs.map(() => 'waiting')
  const items: Item[] = receivedMs.map((at, position) => ({
    position,
    deliveryId: position + 1,
    receivedUs: at * 1000,
  }))
  let rests = 0
  const counted = (state: State): number => states.filter((one) => one === state).length
  let stored: Pick<Job, 'state' | 'reason' | 'endedAt'> = {
    state: 'running',
    reason: null,
    endedAt: null,
  }
  const job = (): Job => ({
    ...sampleJob,
    id: 1,
    createdAt: 0,
    pace,
    total: items.length,
    waiting: counted('waiting'),
    inFlight: counted('claimed'),
    ok: counted('ok'),
    failed: counted('failed'),
    skipped: counted('skipped'),
    ...stored,
  })
  const run = new JobRun(job(), {
    clock,
    store: {
      waiting: (limit) =>
        items.filter(({ position }) => states[position] === 'waiting').slice(0, limit),
      claim: async (count) => {
        const claimed = items.filter(({ position }) => states[position] === 'waiting')
        const taken = claimed.slice(0, count)
        for (const { position } of taken) states[position] = 'claimed'
        claims.push(taken.length)
        return taken
      },
      unclaim: async (positions) => {
        for (const position of positions) states[position] = 'waiting'
      },
      setState: async (state, reason) => {
        stored = { state, reason, endedAt: state === 'paused' ? null : clock.now() }
      },
      job,
    },
    send: async (item, _next, signal) => {
      expect(states[item.position], 'claimed before it is sent').toBe('claimed')
      begun.push({ position: item.position, at: clock.now() })
      const ended = await answer(item.position, signal, clock)
      if (ended.as === 'ok' || ended.as === 'failed') states[item.position] = ended.as
      return ended
    },
    yieldToOthers,
    changed: () => undefined,
    failed: (error) => {
      throw error
    },
    settled: () => (rests += 1),
  })
  run.start()
  return { clock, run, begun, states, claims, rests: () => rests }
}

const many = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const positions = ({ begun }: Bench): number[] => begun.map(({ position }) => position)
/** A slow response. */
const after =
  (ms: number, status = 200) =>
  (_position: number, _signal: AbortSignal, clock: FakeClock): Promise<ItemResult> =>
    new Promise((resolve) => void clock.after(ms, () => resolve(ok(status))))

/** No response until the request is aborted. */
const cutOff = (_position: number, signal: AbortSignal): Promise<ItemResult> =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () =>
      resolve({
        ...ok(),
        as: signal.reason === 'closing' ? 'left' : 'failed',
        status: null,
        error: 'It was cut off.',
      }),
    ),
  )

describe('the pace of a job', () => {
  it('one by one: starts the next request when the previous one has its response', async () => {
    const job = bench({ how: 'one_by_one', stopOnFailure: false }, many(4), after(100))
    await job.clock.pass(1000)
    expect(job.begun).toEqual(many(4).map((position) => ({ position, at: position * 100 })))
    expect(job.run.job).toMatchObject({ state: 'done', ok: 4, waiting: 0, inFlight: 0 })
    expect(job.rests()).toBe(1)
  })

  it('keeps a rate, in order, however long responses take', async () => {
    const job = bench({ how: 'rate', perSecond: 10 }, many(30), after(5000))
    await job.clock.pass(10_000)
    expect(job.begun).toEqual(many(30).map((position) => ({ position, at: position * 100 })))
    expect(job.run.job.state).toBe('done')
  })

  it('pauses a rate at 64 in progress, and then continues without a burst', async () => {
    const job = bench({ how: 'rate', perSecond: 100 }, many(130), after(2000))
    await job.clock.pass(1999)
    expect(job.begun).toHaveLength(64)
    await job.clock.pass(4000)
    const times = job.begun.slice(64).map(({ at }) => at)
    // One every 10 ms, and at most the burst of 100 ms at a time.
    for (const [index, at] of times.entries())
      expect(at).toBeGreaterThanOrEqual(2000 + (index - 11) * 10)
    expect(positions(job)).toEqual(many(130))
  })

  it('keeps the original spacing, faster, with long gaps cut', async () => {
    const received = [0, 100, 100, 500, 600_000, 600_040]
    const job = bench({ how: 'spacing', speed: 2, longestGap: 1000 }, received, after(10))
    await job.clock.pass(60_000)
    expect(job.begun.map(({ at }) => at)).toEqual([0, 50, 50, 250, 1250, 1270])
    expect(positions(job)).toEqual(many(6))
  })

  it('claims an item after a long gap only when it is due', async () => {
    const received = [0, 10, 50_000, 50_010]
    const job = bench({ how: 'spacing', speed: 1, longestGap: 60_000 }, received, after(1))
    await job.clock.pass(49_000)
    expect(job.states).toEqual(['ok', 'ok', 'waiting', 'waiting'])
    await job.clock.pass(2000)
    expect(job.begun.map(({ at }) => at)).toEqual([0, 10, 50_000, 50_010])
  })

  it('in parallel has the configured number in progress and never more, started in order', async () => {
    let open = 0
    let most = 0
    const job = bench(
      { how: 'concurrent', concurrency: 8 },
      many(100),
      async (position, _signal, clock) => {
        open += 1
        most = Math.max(most, open)
        const ended = await after(10 + ((position * 7) % 13))(position, _signal, clock)
        open -= 1
        return ended
      },
    )
    await job.clock.pass(1000)
    expect(most).toBe(8)
    expect(positions(job)).toEqual(many(100))
    expect(job.claims.length, 'claimed in batches').toBeLessThan(40)
  })

  it('in parallel starts the next requests together, when all responses that have arrived are read', async () => {
    let read: (() => void)[] = []
    const yieldToOthers = (): Promise<void> => new Promise((resolve) => read.push(resolve))
    const job = bench({ how: 'concurrent', concurrency: 4 }, many(12), after(100), yieldToOthers)
    const readAll = async (): Promise<void> => {
      const reading = read
      read = []
      for (const resolve of reading) resolve()
      await job.clock.pass(0)
    }
    await job.clock.pass(0)
    await readAll()
    expect(positions(job)).toEqual(many(4))
    await job.clock.pass(150)
    expect(job.states.slice(0, 4)).toEqual(many(4).map(() => 'ok'))
    expect(positions(job)).toEqual(many(4))
    // Once for the responses, and once for the claim.
    await readAll()
    await readAll()
    expect(positions(job)).toEqual(many(8))
  })

  it('one by one to a slow target: claims one item at a time, so that a crash leaves one uncertain', async () => {
    const job = bench({ how: 'one_by_one', stopOnFailure: false }, many(10), after(1000))
    for (let second = 0; second < 8; second += 1) {
      await job.clock.pass(1000)
      // The pending one, and the next one, whose claim is on the disk by now.
      expect(job.states.filter((state) => state === 'claimed').length).toBeLessThanOrEqual(2)
    }
  })
})

describe('a job that is paused', () => {
  it('starts no new requests, and rests when pending ones have ended', async () => {
    const job = bench({ how: 'concurrent', concurrency: 3 }, many(10), after(100))
    await job.clock.pass(50)
    await job.run.pause()
    expect(job.run.job).toMatchObject({ state: 'paused', inFlight: 3, waiting: 7, reason: null })
    expect(job.states.slice(3), 'nothing stays claimed that was not begun').toEqual(
      many(7).map(() => 'waiting'),
    )
    expect(job.rests()).toBe(0)
    await job.clock.pass(1000)
    expect(job.run.job).toMatchObject({ state: 'paused', inFlight: 0, ok: 3 })
    expect(job.rests()).toBe(1)
  })

  it('is done when the last ones were in progress', async () => {
    const job = bench({ how: 'concurrent', concurrency: 3 }, many(3), after(100))
    await job.clock.pass(50)
    await job.run.pause()
    expect(job.run.job.state).toBe('paused')
    await job.clock.pass(100)
    expect(job.run.job.state).toBe('done')
  })

  it('pauses automatically on a failure where configured, and reports which', async () => {
    const job = bench({ how: 'one_by_one', stopOnFailure: true }, many(5), async (position) =>
      ok(position === 2 ? 503 : 204),
    )
    await job.clock.pass(1000)
    expect(positions(job)).toEqual([0, 1, 2])
    expect(job.run.job).toMatchObject({ state: 'paused', ok: 2, failed: 1, waiting: 2 })
    expect(job.run.job.reason).toMatch(/Delivery 3 failed\..*503/)
    expect(job.states).toEqual(['ok', 'ok', 'failed', 'waiting', 'waiting'])
  })

  it('pauses when no item can be sent, and returns the claimed items', async () => {
    const job = bench({ how: 'concurrent', concurrency: 2 }, many(6), async (position) =>
      position < 3 ? ok() : { as: 'halted', reason: 'The secret is gone.' },
    )
    await job.clock.pass(1000)
    expect(job.run.job).toMatchObject({ state: 'paused', reason: 'The secret is gone.', ok: 3 })
    expect(job.states.slice(3)).toEqual(['waiting', 'waiting', 'waiting'])
  })
})

describe('a job that ends early', () => {
  it('cancelled: pending requests get a second and are then aborted', async () => {
    const job = bench({ how: 'concurrent', concurrency: 2 }, many(5), cutOff)
    await job.clock.pass(10)
    const cancelled = job.run.cancel()
    await job.clock.pass(999)
    expect(job.run.job.inFlight).toBe(2)
    await job.clock.pass(1)
    await cancelled
    expect(job.run.job).toMatchObject({ state: 'cancelled', failed: 2, waiting: 3 })
    expect(positions(job)).toEqual([0, 1])
    expect(job.rests()).toBe(1)
  })

  it('closed: aborted items stay claimed, and become uncertain when the store is opened', async () => {
    const job = bench({ how: 'concurrent', concurrency: 2 }, many(5), cutOff)
    await job.clock.pass(10)
    const closed = job.run.close()
    await job.clock.pass(1000)
    await closed
    expect(job.states).toEqual(['claimed', 'claimed', 'waiting', 'waiting', 'waiting'])
    expect(positions(job)).toEqual([0, 1])
  })
})

it('starts no new requests while too many attempts are not stored yet', async () => {
  const gates: (() => void)[] = []
  const job = bench({ how: 'concurrent', concurrency: 4 }, many(50), async () => ({
    ...ok(),
    bytes: 20 * 1024 * 1024,
    stored: new Promise<void>((resolve) => gates.push(resolve)),
  }))
  await job.clock.pass(1000)
  expect(job.begun.length).toBeLessThanOrEqual(4)
  const before = job.begun.length
  for (const open of gates.splice(0)) open()
  await job.clock.pass(1)
  expect(job.begun.length).toBeGreaterThan(before)
})
