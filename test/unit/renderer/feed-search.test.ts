import { describe, expect, it } from 'vitest'
import { startedFeed } from './feed-setup.ts'

/** A search for all deliveries, `step` at a time, whose responses are held. */
async function heldSearch(count: number, step: number) {
  const feed = await startedFeed(count)
  feed.engine.step = step
  feed.hold()
  feed.filter('type:OPEN_TAB')
  return feed
}

async function filteredFeed(count: number, filter = 'verdict:invalid') {
  const feed = await startedFeed(count)
  feed.filter(filter)
  await feed.pass(500)
  return feed
}

describe('a search with many steps', () => {
  it('shows what was found so far, and continues to the end', async () => {
    const feed = await heldSearch(1000, 50)
    const counts: number[] = []
    for (let turn = 0; turn < 30; turn += 1) {
      await feed.answer()
      const { rows, phase, search } = feed.useDeliveries.getState()
      if (phase === 'ready') counts.push(rows.count)
      expect(search.complete).toBe(phase === 'loading' || rows.count === 1000)
    }
    await feed.release()
    await feed.pass(500)
    expect(counts.slice(0, 3)).toEqual([50, 100, 150])
    expect(counts.every((count, index) => index === 0 || count >= (counts[index - 1] ?? 0))).toBe(
      true,
    )
    const { rows, search } = feed.useDeliveries.getState()
    expect([rows.count, search]).toEqual([1000, { asOf: 1, complete: true, searched: 1 }])
    feed.useDeliveries.setState({ seen: { from: 60, to: 110 } })
    await feed.frame()
    expect(feed.top(180)).toEqual(Array.from({ length: 180 }, (_, index) => 1000 - index))
    // One request at a time, and none once the search is complete.
    expect(feed.calls('deliveries.page')).toBeLessThan(26)
  })

  it('always uses the same ID and time', async () => {
    const feed = await startedFeed(500)
    feed.engine.step = 100
    feed.filter('type:OPEN_TAB')
    await feed.pass(500)
    const inputs = feed.host.calls
      .filter(({ name }) => name === 'deliveries.page')
      .map(({ input }) => input)
      .slice(2)
    expect(inputs.length).toBeGreaterThan(3)
    for (const input of inputs) expect(input).toMatchObject({ upTo: 500, asOf: 1 })
  })

  it('stops and resumes on request', async () => {
    const feed = await heldSearch(1000, 100)
    await feed.answer()
    feed.useDeliveries.setState({ stopped: true })
    await feed.release()
    await feed.pass(2000)
    const stopped = feed.useDeliveries.getState()
    expect(stopped.search.complete).toBe(false)
    expect(stopped.rows.count).toBeLessThan(1000)
    const requestCount = feed.calls('deliveries.page')
    await feed.pass(2000)
    expect(feed.calls('deliveries.page')).toBe(requestCount)
    feed.useDeliveries.setState({ stopped: false })
    await feed.pass(500)
    expect(feed.useDeliveries.getState().rows.count).toBe(1000)
    expect(feed.useDeliveries.getState().search.complete).toBe(true)
  })

  it('shows rows that are scrolled to while stopped, but searches no further', async () => {
    const feed = await heldSearch(2000, 400)
    await feed.answer()
    feed.useDeliveries.setState({ stopped: true, seen: { from: 300, to: 330 }, atTop: false })
    await feed.release()
    await feed.pass(1000)
    expect(feed.useDeliveries.getState().rows.idAt(315)).toBe(1685)
    expect(feed.useDeliveries.getState().rows.count).toBeLessThan(2000)
  })

  it('is canceled by another filter', async () => {
    const feed = await heldSearch(1000, 10)
    await feed.answer()
    const before = feed.host.calls.length
    feed.filter('verdict:invalid')
    // Requested before the response for the old filter.
    expect(feed.host.calls.slice(before).map(({ input }) => input)).toMatchObject([
      { filter: 'verdict:invalid', upTo: null },
    ])
    feed.engine.step = 1000
    await feed.release()
    await feed.pass(500)
    expect(feed.useDeliveries.getState().rows.count).toBe(0)
    expect(feed.useDeliveries.getState().phase).toBe('ready')
    const after = feed.host.calls.slice(before + 1).map(({ input }) => input)
    expect(after.every((input) => JSON.stringify(input).includes('verdict:invalid'))).toBe(true)
  })

  it('pauses while the window is hidden', async () => {
    const feed = await heldSearch(1000, 100)
    await feed.see(false)
    await feed.release()
    await feed.pass(3000)
    const requestCount = feed.calls('deliveries.page')
    expect(feed.useDeliveries.getState().search.complete).toBe(false)
    await feed.pass(3000)
    expect(feed.calls('deliveries.page')).toBe(requestCount)
    await feed.see(true)
    await feed.pass(500)
    expect(feed.useDeliveries.getState().search.complete).toBe(true)
    feed.filter('verdict:valid')
    feed.goTo('#/settings')
    await feed.pass(3000)
    expect(feed.useDeliveries.getState().search.complete).toBe(false)
    feed.goTo('#/deliveries')
    await feed.pass(500)
    expect(feed.useDeliveries.getState().search.complete).toBe(true)
  })

  it('polls at most four times a second while waiting', async () => {
    const feed = await startedFeed(100)
    feed.engine.step = 0
    feed.filter('type:OPEN_TAB')
    await feed.pass(100)
    const requestCount = feed.calls('deliveries.page')
    await feed.pass(2000)
    expect(feed.calls('deliveries.page') - requestCount).toBeGreaterThan(5)
    expect(feed.calls('deliveries.page') - requestCount).toBeLessThan(10)
  })
})

describe('a live filter', () => {
  it('polls at most five times a second, and misses nothing during a flood with few pushes', async () => {
    const feed = await filteredFeed(10)
    const before = feed.calls('deliveries.newer')
    for (let turn = 0; turn < 50; turn += 1) {
      feed.arrive(3, { verdict: 'invalid' }, 0)
      feed.arrive(1, {}, 1)
      await feed.frame()
    }
    expect(feed.calls('deliveries.newer') - before).toBeLessThanOrEqual(6)
    await feed.pass(500)
    const { rows } = feed.useDeliveries.getState()
    expect(rows.count).toBe(150)
    const seen = feed.top(150)
    expect(new Set(seen).size).toBe(150)
    expect(seen.every((id, index) => index === 0 || (id ?? 0) < (seen[index - 1] ?? 0))).toBe(true)
  })

  it('loads more than one response contains', async () => {
    const feed = await filteredFeed(0)
    feed.arrive(7500, { verdict: 'invalid' }, 1)
    await feed.pass(300)
    expect(feed.useDeliveries.getState().rows.count).toBe(7500)
    expect(feed.top(2)).toEqual([7500, 7499])
  })

  it('requests more if a response covered only a part', async () => {
    const feed = await startedFeed(0)
    feed.engine.reach = 100
    feed.filter('verdict:invalid')
    await feed.pass(500)
    feed.arrive(350, { verdict: 'invalid' }, 1)
    await feed.pass(2000)
    expect(feed.useDeliveries.getState().rows.count).toBe(350)
    const requestCount = feed.calls('deliveries.newer')
    await feed.pass(2000)
    expect(feed.calls('deliveries.newer')).toBe(requestCount)
  })

  it('waits for the search index, and follows it', async () => {
    const feed = await startedFeed(10)
    feed.engine.indexed = 10
    feed.filter('verdict:invalid')
    await feed.pass(500)
    feed.arrive(4, { verdict: 'invalid' })
    await feed.pass(1000)
    expect(feed.top(1)).toEqual([null])
    const requestCount = feed.calls('deliveries.newer')
    await feed.pass(3000)
    expect(feed.calls('deliveries.newer')).toBe(requestCount)
    await feed.index(12)
    await feed.pass(500)
    expect(feed.top(3)).toEqual([12, 11, null])
    await feed.index(14)
    await feed.pass(500)
    expect(feed.top(5)).toEqual([14, 13, 12, 11, null])
    expect(feed.shownStats().indexedId).toBe(14)
  })

  it('starts without the rows of the previous list, even those that are not indexed yet', async () => {
    const feed = await startedFeed(10)
    feed.arrive(1)
    await feed.frame()
    expect(feed.top(1)).toEqual([11])
    feed.engine.indexed = 10
    feed.filter('verdict:missing')
    await feed.pass(500)
    expect(feed.top(1)).toEqual([null])
  })

  it('drops responses for the previous filter', async () => {
    const feed = await filteredFeed(10)
    feed.hold()
    feed.arrive(1, { verdict: 'invalid' })
    await feed.frame()
    // The new list contains indexed deliveries, and arrives before the response for the old one.
    feed.engine.indexed = 10
    feed.filter('verdict:missing')
    await feed.release('backwards')
    await feed.pass(500)
    expect(feed.top(1)).toEqual([null])
    feed.engine.indexed = Infinity
    feed.arrive(1, { verdict: 'missing' })
    await feed.pass(500)
    expect(feed.top(2)).toEqual([12, null])
  })

  it('resumes where it was after a reconnect', async () => {
    const feed = await filteredFeed(10)
    feed.hold()
    feed.arrive(1, { verdict: 'invalid' })
    await feed.frame()
    feed.host.close()
    await feed.pass(1000)
    await feed.release()
    expect(feed.useDeliveries.getState().phase).toBe('ready')
    feed.host.open()
    feed.host.welcome()
    await feed.pass(500)
    expect(feed.top(2)).toEqual([11, null])
  })

  it('is refreshed when its filter is changed by hand, and does not move while scrolled down', async () => {
    const feed = await filteredFeed(10, 'is:pinned')
    feed.change(4, { pinned: true })
    feed.change(7, { pinned: true })
    await feed.pass(500)
    expect(feed.top(3)).toEqual([7, 4, null])
    feed.useDeliveries.setState({ atTop: false })
    feed.change(7, { pinned: false })
    await feed.pass(1000)
    expect(feed.top(3)).toEqual([7, 4, null])
    feed.useDeliveries.setState({ atTop: true })
    await feed.pass(500)
    expect(feed.top(3)).toEqual([4, null, null])
  })
})
