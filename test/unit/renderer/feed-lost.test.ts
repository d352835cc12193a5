import { expect, it } from 'vitest'
import { startedFeed } from './feed-setup.ts'

it('repeats pending requests once a lost connection is back', async () => {
  const feed = await startedFeed(1000)
  feed.hold()
  feed.useDeliveries.setState({ seen: { from: 500, to: 530 }, atTop: false })
  await feed.frame()
  const before = feed.requestCount()
  feed.host.close()
  await feed.pass(1000)
  expect(feed.requestCount()).toBe(before)
  expect(feed.useDeliveries.getState().phase).toBe('ready')
  feed.host.open()
  feed.host.welcome()
  await feed.release()
  await feed.frame()
  expect(feed.useDeliveries.getState().rows.idAt(515)).toBe(485)
})

it('fetches the newest page again if it was lost with the connection', async () => {
  const feed = await startedFeed(10)
  feed.hold()
  feed.filter('verdict:valid')
  await feed.frame()
  feed.host.close()
  await feed.frame()
  expect(feed.useDeliveries.getState().phase).toBe('loading')
  await feed.release()
  feed.host.open()
  feed.host.welcome()
  await feed.frame()
  expect(feed.useDeliveries.getState().phase).toBe('ready')
  expect(feed.top(2)).toEqual([10, 9])
})

it('reloads when the host reports that too much was missed', async () => {
  const feed = await startedFeed(10)
  feed.host.close()
  feed.arrive(2000, {}, 0)
  feed.host.open()
  feed.host.welcome('run-1', true)
  await feed.frame()
  expect(feed.top(2)).toEqual([2010, 2009])
  expect(feed.useDeliveries.getState().rows.count).toBe(2010)
})

it('reloads with a new store, whose IDs are lower', async () => {
  const feed = await startedFeed(10)
  feed.host.close()
  feed.clear()
  feed.host.open()
  feed.host.welcome('run-2')
  await feed.frame()
  expect(feed.useDeliveries.getState().rows.count).toBe(0)
})

it('reports why the list cannot be loaded', async () => {
  const feed = await startedFeed(10)
  feed.hold()
  feed.filter('verdict:valid')
  feed.host.tell({
    kind: 'reply',
    id: feed.host.calls.at(-1)?.id ?? 0,
    ok: false,
    error: { code: 'internal', message: 'The store is damaged.', retry: 'later' },
  })
  await feed.frame()
  expect(feed.useDeliveries.getState()).toMatchObject({
    phase: 'failed',
    message: 'The store is damaged.',
  })
})

it('updates the statistics at most four times a second', async () => {
  const feed = await startedFeed(0)
  let shown = 0
  feed.onShownStats(() => (shown += 1))
  for (let turn = 0; turn < 50; turn += 1) {
    feed.arrive(1)
    await feed.frame()
  }
  await feed.pass(300)
  expect(shown).toBeGreaterThanOrEqual(3)
  expect(shown).toBeLessThanOrEqual(6)
  expect(feed.shownStats().newestId).toBe(50)
})
