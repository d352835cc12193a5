import { expect, test } from 'vitest'
import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import { AppError } from '#engine/platform/errors.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const tab = sharedTestEngine()

async function deliver(...bodies: (string | Uint8Array)[]): Promise<number[]> {
  await using client = await rawClient(tab().port)
  let count = 0
  for (const body of bodies) {
    await client.send(post(tab().path, body))
    await client.answers((count += 1))
  }
  return (await tab().kept(bodies.length)).map(({ id }) => id)
}

const numbered = (n: number): string => JSON.stringify({ type: 'NUMBERED', data: { n } })

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message}`
  }
  throw new Error('it was not refused')
}

test('notes and tags are pushed to all clients, and pin the delivery', async () => {
  const { engine } = tab()
  const [id = 0] = await deliver(goodBody)
  const changed: DeliverySummary[] = []
  engine.on('deliveries.changed', ({ rows }) => changed.push(...rows))
  const row = await engine.call('deliveries.annotate', { id, note: 'why?', tags: [' a', 'a', 'b'] })
  expect(row).toMatchObject({ id, pinned: true, noted: true, tags: ['a', 'b'] })
  expect(changed).toContainEqual(row)
  expect(await engine.call('deliveries.get', { id })).toMatchObject({ ...row, note: 'why?' })
  expect(await refusal(engine.call('deliveries.annotate', { id, tags: ['x'.repeat(41)] }))).toMatch(
    /^bad_input/,
  )
})

test.runIf(full)(
  'a delivery that is found to be a duplicate, before or after it is pushed, is finally pushed as one',
  async () => {
    const { engine } = tab()
    const pushed = new Map<number, DeliverySummary['duplicateOf']>()
    const take = ({ rows }: { rows: readonly DeliverySummary[] }): void => {
      for (const { id, duplicateOf } of rows) pushed.set(id, duplicateOf)
    }
    const stops = [engine.on('deliveries.arrived', take), engine.on('deliveries.changed', take)]
    // Of more than 500 that are indexed between two reports, only the newest are pushed again.
    const same = Array.from({ length: 240 }, () => '{"type":"OPEN_TAB","note":"many times"}')
    await tab().forget()
    await Promise.all([deliver(...same), deliver(...same)])
    const [first = 0, ...others] = (await tab().kept(same.length * 2)).map(({ id }) => id)
    const last = others.at(-1)
    await until('the index to be level', async () => {
      const { stats } = await engine.call('app.snapshot', {})
      return stats.indexedId === last
    })
    await until('all pushes', () => others.every((id) => pushed.get(id)?.id === first))
    for (const stop of stops) stop()
  },
)

test('the index reports its progress at most four times a second', async () => {
  const { engine } = tab()
  const times: number[] = []
  const stop = engine.on('deliveries.indexed', () => times.push(performance.now()))
  const begun = performance.now()
  // A busy computer needs longer for three.
  while (performance.now() - begun < 1500 || times.length < 3)
    await deliver(`{"n":${performance.now()}}`)
  stop()
  const elapsed = performance.now() - begun
  // Counted, since two of them arrive together after this thread was stalled.
  expect(times.length).toBeLessThanOrEqual(elapsed / 250 + 2)
})

test('saved filters are pushed to all clients', async () => {
  const { engine } = tab()
  const pushed: string[][] = []
  engine.on('filters.changed', (filters) => pushed.push(filters.map(({ name }) => name)))
  const slow = await engine.call('filters.save', { name: ' Slow ', filter: 'lag:>5s' })
  expect(slow).toMatchObject({ name: 'Slow', filter: 'lag:>5s' })
  const bad = await engine.call('filters.save', { name: 'Bad', filter: 'verdict:invalid' })
  await engine.call('filters.save', { ...slow, name: 'Late' })
  expect(await engine.call('filters.saved', {})).toEqual([bad, { ...slow, name: 'Late' }])
  await engine.call('filters.remove', { id: bad.id })
  expect(pushed).toEqual([['Slow'], ['Bad', 'Slow'], ['Bad', 'Late'], ['Late']])
})

test('several deliveries are pinned, tagged and deleted in one call, by ID or by filter', async () => {
  const { engine } = tab()
  const ids = await deliver(...[1, 2, 3, 4, 5].map(numbered))
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = ids
  const pinned = async (): Promise<number[]> =>
    (
      await engine.call('deliveries.page', {
        filter: 'is:pinned',
        upTo: null,
        offset: 0,
        limit: 100,
      })
    ).rows
      .map(({ id }) => id)
      .filter((id) => ids.includes(id))
      .toSorted((a, b) => a - b)
  const changed: DeliverySummary[] = []
  engine.on('deliveries.changed', ({ rows }) => changed.push(...rows))
  expect(
    await engine.call('deliveries.mark', { ids: [one, two, two, 9999], pinned: true }),
  ).toEqual({ changed: 2, full: 0 })
  await until('both clients to be notified', () =>
    [one, two].every((id) => changed.some((row) => row.id === id && row.pinned)),
  )
  expect(await pinned()).toEqual([one, two])
  // A tag pins deliveries, as for a single one.
  const found = { filter: 'type:NUMBERED data.n:>=3', upTo: four }
  expect(await engine.call('deliveries.mark', { ...found, tag: ' seen ' })).toEqual({
    changed: 2,
    full: 0,
  })
  expect(await engine.call('deliveries.get', { id: four })).toMatchObject({ tags: ['seen'] })
  expect(await pinned()).toEqual([one, two, three, four])
  const twenty = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
  await engine.call('deliveries.annotate', { id: five, tags: twenty })
  expect(await engine.call('deliveries.mark', { ids: [five, one], tag: 'more' })).toEqual({
    changed: 1,
    full: 1,
  })
  expect(await engine.call('deliveries.mark', { ids, pinned: false })).toEqual({
    changed: 5,
    full: 0,
  })

  const total = async (): Promise<number> =>
    (await engine.call('deliveries.page', { upTo: null, offset: 0, limit: 1 })).total
  const before = await total()
  const removed: StoreStats[] = []
  engine.on(
    'deliveries.removed',
    ({ reason, stats }) => reason === 'deleted' && removed.push(stats),
  )
  await engine.call('deliveries.annotate', { id: one, note: 'kept no longer' })
  expect(await engine.call('deliveries.delete', { ids: [one, two, 9999] })).toEqual({ deleted: 2 })
  expect(removed).toEqual([expect.objectContaining({ deliveries: before - 2 })])
  expect(await refusal(engine.call('deliveries.get', { id: one }))).toMatch(/^not_found/)
  expect(
    await engine.call('deliveries.delete', { filter: 'type:NUMBERED data.n:<=4', upTo: null }),
  ).toEqual({ deleted: 2 })
  const left = await engine.call('deliveries.page', {
    filter: 'type:NUMBERED',
    upTo: null,
    offset: 0,
    limit: 9,
  })
  expect(left.rows.map(({ id }) => id)).toEqual([five])
  // Deleted deliveries are removed from the index, too.
  const { rows } = await engine.call('deliveries.page', {
    filter: 'tag:seen or note:kept',
    upTo: null,
    offset: 0,
    limit: 9,
  })
  expect(rows).toEqual([])

  for (const [input, why] of [
    [{}, /^bad_input Specify either/],
    [{ ids: [five], filter: 'is:pinned' }, /^bad_input Specify either/],
    [{ filter: 'verdict:wrong' }, /^bad_filter/],
    [{ filter: 'type:NONE_SUCH' }, /^not_found No delivery matches/],
  ] as const) {
    expect(
      await refusal(
        engine.call('deliveries.delete', {
          ...input,
          ids: 'ids' in input ? [...input.ids] : undefined,
        }),
      ),
    ).toMatch(why)
  }
  expect(await total()).toBe(before - 4)
})
