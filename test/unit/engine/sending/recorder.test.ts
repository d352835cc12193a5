import { describe, expect, it } from 'vitest'
import type { AttemptSummary } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { Recorder } from '#engine/sending/recorder.ts'
import type { AttemptGroup, SendWrites } from '#engine/sending/messages.ts'
import type { AttemptFields } from '#engine/sending/store/attempt-rows.ts'
import type { ThreadClient } from '#engine/platform/rpc.ts'
import { attempted } from '#test/support/attempts.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

/** A recorder with a writer thread that responds when the test says so. */
function bench() {
  const clock = fakeClock()
  const groups: AttemptGroup[] = []
  const made: AttemptSummary[][] = []
  const answers: ((error: Error | null) => void)[] = []
  let nextId = 0
  const record = (input: AttemptGroup): Promise<AttemptSummary[]> =>
    new Promise((resolve, reject) => {
      // As it is transferred between threads.
      const group = structuredClone(input)
      groups.push(group)
      answers.push((error) => {
        if (error) return reject(error)
        resolve(
          group.attempts.map((fields) => ({
            id: (nextId += 1),
            ...fields,
            comparison: null,
            previousAttemptId: null,
          })),
        )
      })
    })
  const writes: ThreadClient<SendWrites> = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but `record` is called of it
    call: ((_name: string, input: AttemptGroup) =>
      record(input)) as ThreadClient<SendWrites>['call'],
  }
  const recorder = new Recorder(writes, (rows) => void made.push(rows), clock)
  return {
    clock,
    groups,
    made,
    recorder,
    /** The writer responds to the oldest call. Resolves when the consequences have happened. */
    answer: async (error: Error | null = null): Promise<void> => {
      answers.shift()?.(error)
      await clock.pass(0)
    },
    inFlight: () => answers.length,
  }
}

const full = new Error('SqliteError: database or disk is full\n    at somewhere')
const deliveriesOf = ({ attempts }: AttemptGroup): (number | null)[] =>
  attempts.map(({ deliveryId }) => deliveryId)
const of = (deliveryId: number, more: Partial<AttemptFields> = {}): AttemptFields =>
  attempted({ deliveryId, ...more })

const body = (mib: number): Partial<AttemptFields> => ({
  answerBody: new Uint8Array(mib * 1024 * 1024),
})

describe('the recorder', () => {
  it('writes one group at a time, in order, and collects further entries meanwhile', async () => {
    const { recorder, groups, answer, inFlight } = bench()
    const first = recorder.record(of(1))
    for (let id = 2; id <= 1203; id += 1) void recorder.record(of(id))
    expect(groups.map(deliveriesOf)).toEqual([[1]])
    await answer()
    expect((await first)?.deliveryId).toBe(1)
    expect(inFlight()).toBe(1)
    await answer()
    await answer()
    await answer()
    expect(groups.map(({ attempts }) => attempts.length)).toEqual([1, 500, 500, 202])
    expect(groups.flatMap(deliveriesOf)).toEqual(Array.from({ length: 1203 }, (_, i) => i + 1))
  })

  it('collects attempts that end quickly, unless a caller waits for one', async () => {
    const { recorder, groups, answer, clock } = bench()
    const note = (from: number, to: number): void => {
      for (let id = from; id <= to; id += 1) void recorder.note(of(id))
    }
    note(1, 3)
    await answer()
    // Too few to wait for more.
    expect(groups.map(deliveriesOf)).toEqual([[1], [2, 3]])
    note(4, 11)
    await answer()
    note(12, 13)
    await clock.pass(4)
    expect(groups).toHaveLength(2)
    await clock.pass(1)
    expect(groups[2]?.attempts).toHaveLength(10)
    note(14, 21)
    await answer()
    expect(groups).toHaveLength(3)
    void recorder.record(of(22))
    await clock.pass(0)
    expect(groups[3]?.attempts).toHaveLength(9)
    note(23, 32)
    await answer()
    note(33, 122)
    await clock.pass(0)
    expect(groups[4]?.attempts).toHaveLength(100)
    note(123, 130)
    await answer()
    const stored = recorder.close()
    await clock.pass(0)
    await answer()
    await stored
    expect(groups.flatMap(deliveriesOf)).toEqual(Array.from({ length: 130 }, (_, i) => i + 1))
  })

  it('limits a group by its bytes, and writes a larger entry alone', async () => {
    const { recorder, groups, answer } = bench()
    void recorder.record(of(1))
    for (const [index, mib] of [3, 3, 3, 20, 1].entries())
      void recorder.record(of(index + 2, body(mib)))
    for (let turn = 0; turn < 5; turn += 1) await answer()
    expect(groups.map(deliveriesOf)).toEqual([[1], [2, 3], [4], [5], [6]])
  })

  it('sends a body to the writer without the buffer it is a part of', async () => {
    const { recorder, groups } = bench()
    const large = Buffer.alloc(65_536, 'x')
    void recorder.record(of(1, { answerBody: large.subarray(10, 14) }))
    const [fields] = groups[0]?.attempts ?? []
    expect(fields?.answerBody?.buffer.byteLength).toBe(4)
    expect(Buffer.from(fields?.answerBody ?? []).toString()).toBe('xxxx')
  })

  it('retries failed writes in order, and loses nothing', async () => {
    const { recorder, groups, answer, clock } = bench()
    const first = recorder.record(of(1))
    const item = recorder.settle({ jobId: 1, position: 4, state: 'skipped', error: 'It is gone.' })
    let settled = false
    void item.then(() => (settled = true))
    await answer(full)
    expect(groups).toHaveLength(1)
    for (let times = 0; times < 3; times += 1) {
      await clock.pass(500)
      await answer(full)
    }
    void recorder.record(of(2))
    expect(settled).toBe(false)
    await clock.pass(500)
    await answer()
    expect(groups.at(-1)).toMatchObject({ attempts: [of(1), of(2)], settled: [{ position: 4 }] })
    expect((await first)?.deliveryId).toBe(1)
    await item
  })

  it('discards only entries that can never be stored', async () => {
    const { recorder, groups, answer } = bench()
    void recorder.record(of(1))
    const kept = recorder.record(of(2))
    const refused = recorder.record(of(3))
    const behind = recorder.record(of(4))
    await answer()
    const never = new AppError('internal', 'It cannot be stored.')
    await answer(never)
    // One by one, until the entry that cannot be written is found.
    await answer()
    await answer(never)
    await answer()
    expect((await kept)?.deliveryId).toBe(2)
    await expect(refused).rejects.toBe(never)
    expect((await behind)?.deliveryId).toBe(4)
    expect(groups.map(deliveriesOf)).toEqual([[1], [2, 3, 4], [2], [3], [4]])
  })

  it('publishes stored attempts at most ten times a second, the newest hundred, in order', async () => {
    const { recorder, made, answer, clock } = bench()
    for (let id = 1; id <= 700; id += 1) void recorder.record(of(id))
    await answer()
    await answer()
    await answer()
    await clock.pass(1000)
    const published = made.flat().map(({ deliveryId }) => deliveryId)
    expect(made.length).toBeLessThanOrEqual(3)
    expect(made.every((rows) => rows.length <= 100)).toBe(true)
    expect(published.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => 601 + index))
    expect(published).toEqual(published.toSorted((a, b) => (a ?? 0) - (b ?? 0)))
  })

  it('finishes flushing when all earlier entries are stored', async () => {
    const { recorder, answer } = bench()
    void recorder.record(of(1))
    void recorder.record(of(2))
    let flushed = false
    void recorder.close().then(() => (flushed = true))
    await answer()
    expect(flushed).toBe(false)
    await answer()
    expect(flushed).toBe(true)
  })

  it('does not wait forever at the end for a store that cannot be written', async () => {
    const { recorder, answer, clock } = bench()
    const refused = [recorder.record(of(1)), recorder.record(of(9))]
    const closed = recorder.close()
    for (let times = 0; times < 9; times += 1) {
      await answer(full)
      await clock.pass(500)
    }
    await clock.pass(1000)
    await answer(full)
    await closed
    const ends = await Promise.allSettled(refused)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
