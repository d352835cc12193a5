import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { LogsView } from '#contract/logs.ts'
import { noLogs, someLog } from '../../../support/sample-logs.ts'
import { FakeHost } from '../fake-host.ts'
import { summary } from '#test/support/sample-summary.ts'

/** The feeds with a fake host whose live store and logs have different rows. Responses tell which one they belong to. */
async function started() {
  vi.resetModules()
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('requestAnimationFrame', (apply: () => void) => setTimeout(apply, 16))
  const { useDeliveries, setFilterText, openDelivery } = await import('#client/state/deliveries.ts')
  const { showScope } = await import('#client/state/scope.ts')
  const { useOpenLogs, closeLog, startFeeds } = await import('#pages/deliveries/feed/feeds.ts')
  const { createClient } = await import('#client/client.ts')
  const host = new FakeHost()
  let held: (() => void)[] | null = null
  host.answer = ({ id, name, input }) => {
    if (name !== 'deliveries.page') return { rows: [], upTo: 0 }
    const { log, offset, upTo } = calls['deliveries.page'].input.parse(input)
    const title = log === null ? 'live' : `log ${log}`
    const rows = offset > 0 ? [] : [3, 2, 1].map((row) => ({ ...summary(row), title }))
    const output = { rows, upTo: upTo ?? 3, asOf: 1, total: 3, complete: true, searched: 1 }
    if (!held) return output
    held.push(() => host.reply(id, output))
    return undefined
  }
  startFeeds(
    createClient(host.transport, () => 0),
    { visible: () => true, onChange: () => {} },
  )
  host.open()
  host.welcome()
  await vi.advanceTimersByTimeAsync(50)
  return {
    host,
    useDeliveries,
    useOpenLogs,
    closeLog,
    setFilterText,
    openDelivery,
    show: async (scope: number | null) => {
      showScope(scope)
      await vi.advanceTimersByTimeAsync(50)
    },
    titles: (scope: number | null) => {
      const { rows } = useDeliveries.of(scope).getState()
      return [0, 1, 2].map((place) => rows.rowAt(place)?.title)
    },
    requestCount: (log: number | null) =>
      host.calls.filter(
        ({ name, input }) =>
          name === 'deliveries.page' && calls['deliveries.page'].input.parse(input).log === log,
      ).length,
    hold: () => (held = []),
    release: async () => {
      const waiting = held ?? []
      held = null
      for (const send of waiting) send()
      await vi.advanceTimersByTimeAsync(50)
    },
  }
}

const view = (...ids: number[]): LogsView => ({
  ...noLogs,
  logs: ids.map((id) => someLog(0, { id })),
})

describe('a list for each log', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('has its own rows, filter and selection, and keeps its state', async () => {
    const lists = await started()
    lists.setFilterText('type:LIVE')
    lists.openDelivery(2)
    await lists.show(4)
    expect(lists.titles(4)).toEqual(['log 4', 'log 4', 'log 4'])
    expect(lists.useDeliveries.getState()).toMatchObject({ filter: '', selectedId: null })
    lists.setFilterText('type:LOGGED')
    lists.openDelivery(1)
    await lists.show(null)
    expect(lists.useDeliveries.getState()).toMatchObject({ filter: 'type:LIVE', selectedId: 2 })
    expect(lists.titles(null)).toEqual(['live', 'live', 'live'])
    const requestCount = lists.requestCount(4)
    await lists.show(4)
    expect(lists.useDeliveries.getState()).toMatchObject({ filter: 'type:LOGGED', selectedId: 1 })
    // A log never changes, so nothing is requested again.
    expect(lists.requestCount(4)).toBe(requestCount)
  })

  it('ignores responses of another log', async () => {
    const lists = await started()
    lists.hold()
    await lists.show(4)
    await lists.show(5)
    await lists.show(null)
    lists.setFilterText('type:X')
    await vi.advanceTimersByTimeAsync(50)
    await lists.release()
    expect(lists.titles(4)).toEqual(['log 4', 'log 4', 'log 4'])
    expect(lists.titles(5)).toEqual(['log 5', 'log 5', 'log 5'])
    expect(lists.titles(null)).toEqual(['live', 'live', 'live'])
  })

  it('adds no new deliveries, while the live list does in the background', async () => {
    const lists = await started()
    await lists.show(4)
    lists.host.push('deliveries.arrived', {
      rows: [{ ...summary(4), title: 'new' }],
      stats: { deliveries: 4, bytes: 0, newestId: 4, indexedId: 4 },
    })
    await vi.advanceTimersByTimeAsync(50)
    expect(lists.titles(4)).toEqual(['log 4', 'log 4', 'log 4'])
    expect(lists.useDeliveries.of(4).getState()).toMatchObject({ waiting: 0 })
    expect(lists.titles(null)[0]).toBe('new')
  })

  it('keeps a few logs, discards closed or removed ones, and never the shown one', async () => {
    const lists = await started()
    for (const log of [1, 2, 3, 4, 5]) await lists.show(log)
    await lists.show(1)
    await lists.show(6)
    // The least recently shown one.
    expect(lists.useOpenLogs.getState().ids).toEqual([1, 3, 4, 5, 6])
    lists.useDeliveries.of(3).setState({ filter: 'kept' })
    lists.closeLog(3)
    expect(lists.useDeliveries.of(3).getState().filter).toBe('')
    lists.host.push('logs.changed', view(4))
    await vi.advanceTimersByTimeAsync(50)
    expect(lists.useOpenLogs.getState().ids).toEqual([4])
    expect(lists.titles(6)).toEqual(['log 6', 'log 6', 'log 6'])
    await lists.show(null)
    expect(lists.titles(6)).toEqual([undefined, undefined, undefined])
    expect(lists.titles(4)).toEqual(['log 4', 'log 4', 'log 4'])
  })

  it('is requested again when the connection is back', async () => {
    const lists = await started()
    lists.hold()
    await lists.show(4)
    lists.host.close()
    await lists.release()
    lists.host.open()
    lists.host.welcome()
    await vi.advanceTimersByTimeAsync(500)
    expect(lists.titles(4)).toEqual(['log 4', 'log 4', 'log 4'])
  })
})
