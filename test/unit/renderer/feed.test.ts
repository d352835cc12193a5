import { describe, expect, it } from 'vitest'
import { startedFeed } from './feed-setup.ts'

describe('the list', () => {
  it('starts with the newest page, and adds new deliveries', async () => {
    const feed = await startedFeed(300)
    expect(feed.top(2)).toEqual([300, 299])
    const before = feed.requestCount()
    feed.arrive(2)
    feed.arrive(1)
    expect(feed.top(1)).toEqual([300])
    await feed.frame()
    expect(feed.top(4)).toEqual([303, 302, 301, 300])
    expect(feed.useDeliveries.getState()).toMatchObject({ phase: 'ready', waiting: 0 })
    expect(feed.requestCount()).toBe(before)
  })

  it('keeps a change that is pushed in the same frame as the delivery', async () => {
    const feed = await startedFeed(10)
    feed.arrive(1)
    feed.change(11, { lastAttempt: { status: 500 } })
    await feed.frame()
    expect(feed.useDeliveries.getState().rows.rowAt(0)).toMatchObject({
      id: 11,
      lastAttempt: { status: 500 },
    })
  })

  it('keeps a change that is pushed while an older page is loading', async () => {
    const feed = await startedFeed(1000)
    feed.hold()
    feed.useDeliveries.setState({ seen: { from: 500, to: 530 }, atTop: false })
    feed.change(485, { lastAttempt: { status: 200 } })
    await feed.release()
    await feed.frame()
    const { rows } = feed.useDeliveries.getState()
    expect(rows.rowAt(515)).toMatchObject({ id: 485, lastAttempt: { status: 200 } })
  })

  it('fetches rows that are scrolled to, once', async () => {
    const feed = await startedFeed(1000)
    const before = feed.requestCount()
    feed.useDeliveries.setState({ seen: { from: 500, to: 530 }, atTop: false })
    feed.useDeliveries.setState({ seen: { from: 501, to: 531 } })
    await feed.frame()
    expect(feed.useDeliveries.getState().rows.idAt(515)).toBe(485)
    expect(feed.requestCount() - before).toBe(2)
  })

  it('ignores a page that was requested before the rows moved', async () => {
    const feed = await startedFeed(3000)
    feed.hold()
    feed.useDeliveries.setState({ seen: { from: 500, to: 530 } })
    for (let turn = 0; turn < 11; turn += 1) {
      feed.arrive(100)
      await feed.frame()
    }
    expect(feed.useDeliveries.getState().rows.anchor).toBeGreaterThan(3000)
    await feed.release()
    await feed.frame()
    const places = feed.top(2000).map((id, index) => id ?? 4100 - index)
    expect(places).toEqual(Array.from({ length: 2000 }, (_, index) => 4100 - index))
    expect(feed.top(520).at(-1)).toBe(4100 - 519)
  })

  it('catches up after a flood with only the last rows pushed', async () => {
    const feed = await startedFeed(10)
    feed.arrive(500, {}, 5)
    await feed.frame()
    await feed.pass(300)
    expect(feed.top(3)).toEqual([510, 509, 508])
    expect(feed.top(510).slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, i) => 510 - i))
    expect(feed.useDeliveries.getState().rows.count).toBe(510)
  })

  it('catches up when the counts are ahead of the pushes', async () => {
    const feed = await startedFeed(10)
    feed.arrive(40, {}, 0)
    await feed.frame()
    expect(feed.top(1)).toEqual([10])
    await feed.pass(300)
    expect(feed.top(2)).toEqual([50, 49])
  })

  it('fetches deliveries received in a window without frames', async () => {
    const feed = await startedFeed(0)
    feed.arrive(3000)
    feed.arrive(3000)
    await feed.frame()
    await feed.pass(300)
    expect(feed.top(2)).toEqual([6000, 5999])
    expect(feed.useDeliveries.getState().rows.count).toBe(6000)
  })

  it('is empty after clearing, and counts again after retention', async () => {
    const feed = await startedFeed(300)
    feed.retain(120)
    await feed.pass(1100)
    expect(feed.useDeliveries.getState().rows.count).toBe(120)
    feed.arrive(1)
    await feed.frame()
    feed.clear()
    await feed.frame()
    expect(feed.useDeliveries.getState().rows.count).toBe(0)
    feed.arrive(1)
    await feed.frame()
    expect(feed.top(2)).toEqual([302, null])
  })

  it('collects undocumented types', async () => {
    const feed = await startedFeed(1)
    feed.arrive(1, { type: 'TAB_MERGED' })
    feed.arrive(1, { type: null })
    await feed.frame()
    expect(feed.useDeliveries.getState().unknownTypes).toEqual(['TAB_MERGED'])
  })
})

describe('a pause', () => {
  it('counts waiting deliveries, and adds them when it ends', async () => {
    const feed = await startedFeed(10)
    feed.useDeliveries.setState({ paused: true })
    feed.arrive(3)
    await feed.frame()
    feed.arrive(30, {}, 1)
    await feed.frame()
    expect(feed.top(1)).toEqual([10])
    expect(feed.useDeliveries.getState().waiting).toBe(33)
    feed.useDeliveries.setState({ paused: false })
    await feed.frame()
    expect(feed.top(2)).toEqual([43, 42])
    expect(feed.useDeliveries.getState().waiting).toBe(0)
  })

  it('also applies while scrolled down', async () => {
    const feed = await startedFeed(10)
    feed.useDeliveries.setState({ atTop: false })
    feed.arrive(2)
    await feed.frame()
    expect(feed.useDeliveries.getState().waiting).toBe(2)
    feed.useDeliveries.setState({ atTop: true })
    await feed.frame()
    expect(feed.top(2)).toEqual([12, 11])
  })

  it('lasts while a delivery is open, and ends when it is closed at the top', async () => {
    const feed = await startedFeed(10)
    feed.useDeliveries.setState({ selectedId: 9, open: true })
    feed.arrive(2)
    await feed.frame()
    expect(feed.useDeliveries.getState().waiting).toBe(2)
    feed.useDeliveries.setState({ open: false })
    await feed.frame()
    feed.arrive(1)
    await feed.frame()
    expect(feed.top(2)).toEqual([13, 12])
    expect(feed.useDeliveries.getState()).toMatchObject({ waiting: 0, selectedId: 9 })
  })

  it('counts matches of a filter, pushed or not, and adds only those', async () => {
    const feed = await startedFeed(10)
    feed.filter('verdict:invalid')
    await feed.frame()
    feed.useDeliveries.setState({ paused: true })
    feed.arrive(3)
    feed.arrive(2, { verdict: 'invalid' })
    await feed.pass(500)
    expect(feed.useDeliveries.getState()).toMatchObject({ waiting: 2, waitingAtLeast: false })
    feed.arrive(20, { verdict: 'invalid' }, 1)
    await feed.pass(500)
    expect(feed.useDeliveries.getState()).toMatchObject({ waiting: 22, waitingAtLeast: false })
    const pages = feed.calls('deliveries.page')
    feed.useDeliveries.setState({ paused: false })
    await feed.pass(500)
    expect(feed.top(23)).toEqual([...Array.from({ length: 20 }, (_, i) => 35 - i), 15, 14, null])
    expect(feed.useDeliveries.getState().waiting).toBe(0)
    // No new search was started.
    expect(feed.calls('deliveries.page')).toBe(pages)
  })

  it('holds 5,000 matches, reports that there may be more, and reloads when it ends', async () => {
    const feed = await startedFeed(10)
    feed.filter('verdict:invalid')
    await feed.frame()
    feed.useDeliveries.setState({ atTop: false })
    feed.arrive(9000, { verdict: 'invalid' }, 5)
    await feed.pass(2000)
    expect(feed.useDeliveries.getState()).toMatchObject({ waiting: 6000, waitingAtLeast: true })
    const requestCount = feed.calls('deliveries.newer')
    feed.arrive(1)
    await feed.pass(2000)
    expect(feed.calls('deliveries.newer')).toBe(requestCount)
    feed.useDeliveries.setState({ atTop: true })
    await feed.pass(500)
    expect(feed.useDeliveries.getState()).toMatchObject({ waiting: 0, waitingAtLeast: false })
    expect(feed.top(2)).toEqual([9010, 9009])
    expect(feed.useDeliveries.getState().rows.count).toBe(9000)
  })
})

describe('a filter', () => {
  it('reloads the list, and adds only matches', async () => {
    const feed = await startedFeed(10)
    feed.arrive(2, { verdict: 'invalid' })
    await feed.frame()
    feed.filter('verdict:invalid')
    expect(feed.useDeliveries.getState().phase).toBe('loading')
    await feed.frame()
    feed.arrive(1)
    feed.arrive(1, { verdict: 'invalid' })
    await feed.pass(500)
    expect(feed.top(4)).toEqual([14, 12, 11, null])
  })

  it('that changes while loading shows the last one', async () => {
    const feed = await startedFeed(10)
    feed.arrive(1, { verdict: 'missing' })
    await feed.frame()
    feed.hold()
    feed.filter('verdict:invalid')
    feed.filter('verdict:missing')
    const shown: number[] = []
    feed.useDeliveries.of(null).subscribe(({ phase, rows }) => {
      if (phase === 'ready') shown.push(rows.count)
    })
    await feed.release()
    await feed.frame()
    // The empty response for the first filter is never shown for the second.
    expect(new Set(shown)).toEqual(new Set([1]))
    expect(feed.top(2)).toEqual([11, null])
    expect(feed.useDeliveries.getState().phase).toBe('ready')
  })

  it('misses nothing that is received while loading', async () => {
    const feed = await startedFeed(10)
    feed.hold()
    feed.filter('type:OPEN_TAB')
    await feed.frame()
    feed.arrive(1)
    await feed.frame()
    await feed.release()
    await feed.pass(300)
    expect(feed.top(2)).toEqual([11, 10])
  })
})
