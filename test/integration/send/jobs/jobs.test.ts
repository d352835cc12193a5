import { beforeAll, describe, expect, it } from 'vitest'
import type { Job, JobPace } from '#contract/sending.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { deliverNumbered, numbers, openReceiver } from './receiver.ts'

const count = 60
const tab = sharedTestEngine()
let ids: number[] = []

beforeAll(async () => {
  const { engine, port, path } = tab()
  await deliverNumbered(`http://127.0.0.1:${port}${path}`, count)
  await engine.catchUp()
  const rows = await engine.call('deliveries.since', { after: 0, limit: 1000 })
  ids = rows.map(({ id }) => id)
})

const ended = (id: number, states: readonly Job['state'][] = ['done']): Promise<Job> =>
  until(`the job to be ${states.join(' or ')}`, async () => {
    const job = await tab().engine.call('jobs.get', { id })
    return states.includes(job.state) ? job : null
  })

const refused = async (input: object, code: string): Promise<string> => {
  const { engine } = tab()
  const before = await engine.call('jobs.list', {})
  const error = await engine.call('jobs.start', { ids, url: 'http://127.0.0.1:1/', ...input }).then(
    () => null,
    (caught: unknown) => caught,
  )
  expect(error).toMatchObject({ code })
  expect(await engine.call('jobs.list', {})).toEqual(before)
  return error instanceof Error ? error.message : ''
}

describe('a job', () => {
  it.each<JobPace>([
    { how: 'one_by_one', stopOnFailure: false },
    { how: 'rate', perSecond: 1000 },
    { how: 'spacing', speed: 1000, longestGap: 5 },
    { how: 'concurrent', concurrency: 1 },
  ])('arrives in the order of arrival, each once: $how', async (pace) => {
    await using receiver = await openReceiver()
    // In the order of selection, which may be any, and with a duplicate.
    const selected = [...ids.toReversed(), ids[5] ?? 0]
    const { id, ...started } = await tab().engine.call('jobs.start', {
      ids: selected,
      url: receiver.url,
      pace,
    })
    expect(started).toMatchObject({ state: 'running', total: count, filter: null, edited: false })
    const job = await ended(id)
    if (pace.how !== 'rate' && pace.how !== 'spacing')
      expect(receiver.received).toEqual(numbers(0, count))
    expect(receiver.received.toSorted((a, b) => a - b)).toEqual(numbers(0, count))
    expect(job).toMatchObject({ ok: count, waiting: 0, inFlight: 0, failed: 0 })
    expect(job.results).toEqual([{ status: 200, error: null, count }])
    expect(job.endedAt).toBeGreaterThanOrEqual(job.createdAt)
  })

  it('sends the matches of a filter up to a delivery', async () => {
    await using receiver = await openReceiver()
    const { engine } = tab()
    const upTo = ids[19] ?? 0
    const started = await engine.call('jobs.start', {
      filter: 'type:OPEN_TAB',
      upTo,
      url: receiver.url,
    })
    expect(started).toMatchObject({ total: 20, filter: 'type:OPEN_TAB' })
    await ended(started.id)
    expect(receiver.received).toEqual(numbers(0, 20))
    // A text search uses the search index, which may be behind, so the call waits for it.
    const words = await engine.call('jobs.start', { filter: '"number"', url: receiver.url })
    expect(words.total).toBe(count)
    await ended(words.id)
  })
})

it('a job runs concurrently with other jobs', async () => {
  await using slow = await openReceiver()
  await using quick = await openReceiver()
  const { engine } = tab()
  slow.hold(true)
  const first = await engine.call('jobs.start', { ids, url: slow.url })
  const second = await engine.call('jobs.start', { ids, url: quick.url })
  await ended(second.id)
  expect(slow.received).toEqual([0])
  slow.hold(false)
  expect(await ended(first.id)).toMatchObject({ ok: count })
})

it('refuses before a job starts: both a filter and a selection, neither of them, and nothing that matches', async () => {
  await refused({ filter: 'type:OPEN_TAB' }, 'bad_input')
  await refused({ ids: undefined }, 'bad_input')
  expect(await refused({ ids: undefined, filter: 'type:NOTHING' }, 'not_found')).toBe(
    'No delivery matches the filter.',
  )
  await refused({ ids: undefined, filter: 'type:(' }, 'bad_filter')
})

describe('the failed deliveries of a job', () => {
  let fresh: { id: number; title: string }[] = []
  beforeAll(async () => {
    const { engine, port, path } = tab()
    await deliverNumbered(`http://127.0.0.1:${port}${path}`, 3)
    await engine.catchUp()
    fresh = (await engine.call('deliveries.since', { after: 0, limit: 1000 })).slice(-3)
  })
  const freshIds = (count: number): number[] => fresh.slice(0, count).map(({ id }) => id)

  it('are resent with the same options by another job, once the first has finished', async () => {
    const { engine } = tab()
    await using receiver = await openReceiver()
    const closed = `http://127.0.0.1:${await freePort()}/`
    const sign = { how: 'none' } as const
    const { id } = await engine.call('jobs.start', { ids: freshIds(3), url: closed, sign })
    const first = await ended(id)
    expect(first).toMatchObject({ failed: 3 })
    const again = await engine.call('jobs.resendFailed', { id })
    expect(again).toMatchObject({ total: 3, url: closed, sign, filter: null })
    await ended(again.id)
    const { id: good } = await engine.call('jobs.start', { ids: freshIds(1), url: receiver.url })
    await ended(good)
    await expect(engine.call('jobs.resendFailed', { id: good })).rejects.toMatchObject({
      code: 'bad_input',
      message: `Job ${good} has no failed deliveries.`,
    })
    await expect(engine.call('jobs.resendFailed', { id: 4711 })).rejects.toMatchObject({
      code: 'not_found',
    })
    const [item] = await engine.call('jobs.items', { id })
    expect(item?.title).toBe(fresh[0]?.title)
  })

  it('is not sent while the job runs', async () => {
    const { engine } = tab()
    await using receiver = await openReceiver()
    receiver.hold(true)
    const { id } = await engine.call('jobs.start', { ids: freshIds(2), url: receiver.url })
    await expect(engine.call('jobs.resendFailed', { id })).rejects.toMatchObject({ code: 'in_use' })
    receiver.hold(false)
    await ended(id)
  })
})
