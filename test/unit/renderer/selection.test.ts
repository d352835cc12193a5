import { beforeEach, expect, it } from 'vitest'
import {
  selectAll,
  toggleAt,
  extendSelection,
  countSelected,
  rowsBetween,
} from '#client/state/select-deliveries.ts'
import {
  clearSelection,
  hasSelection,
  isSelected,
  toggleSelected,
  useSelection,
} from '#client/state/selection.ts'
import { DeliveryRows } from '#client/state/delivery-rows.ts'
import { useDeliveries } from '#client/state/deliveries.ts'
import { createClient } from '#client/client.ts'
import { until } from '../../support/until.ts'
import { FakeHost, summaries } from './fake-host.ts'

const host = () => {
  const host = new FakeHost()
  const client = createClient(host.transport, Date.now)
  host.open()
  host.welcome()
  return { host, client }
}
const chosen = () => [...useSelection.getState().ids].sort((one, other) => one - other)

const step = (by: number) =>
  useDeliveries.setState(({ selectedId }) => ({ selectedId: (selectedId ?? 0) - by }))

function listed(total: number): DeliveryRows {
  const rows = new DeliveryRows()
  const newest = summaries(total, Math.max(1, total - 99))
  rows.restart({ rows: newest, total, complete: true, upTo: total }, null)
  useDeliveries.setState({ rows, revision: 1, filter: '', selectedId: null })
  return rows
}

beforeEach(() => clearSelection())

it('selects and deselects one, and a range in both directions', () => {
  const rows = listed(10)
  const { client } = host()
  const at = (id: number, range: boolean) => toggleAt(client, id, rows.indexOf(id) ?? -1, range)
  at(7, false)
  at(4, true)
  expect(chosen()).toEqual([4, 5, 6, 7])
  at(9, true)
  expect(chosen()).toEqual([4, 5, 6, 7, 8, 9])
  at(5, false)
  expect(chosen()).toEqual([4, 6, 7, 8, 9])
})

it('loads the rows of a range that are not loaded', async () => {
  const rows = listed(700)
  const { host: far, client } = host()
  far.answer = ({ input }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the call was made with, as the contract has it
    const { offset, limit } = input as { offset: number; limit: number }
    const all = summaries(700 - offset, 700 - offset - limit + 1)
    return { rows: all, total: 700, upTo: 700, asOf: 0, complete: true, searched: 1 }
  }
  toggleSelected(700)
  // The last row is not loaded either, so its index is used.
  toggleAt(client, 1, 699, true)
  await until('all of them', () => useSelection.getState().ids.size === 700)
  expect(far.calls.map(({ input }) => input)).toMatchObject([
    { offset: 100, limit: 500, upTo: 700 },
    { offset: 600, limit: 100, upTo: 700 },
  ])
  expect(rows.count).toBe(700)
})

it('extends with each step, in both directions', () => {
  listed(5)
  useDeliveries.setState({ selectedId: 4 })
  extendSelection(1, step)
  extendSelection(1, step)
  expect(chosen()).toEqual([2, 3, 4])
})

it('selects all current deliveries, without later ones', () => {
  const rows = listed(10)
  selectAll()
  const all = useSelection.getState()
  expect(all.all).toEqual({ filter: '', upTo: 10 })
  expect(countSelected(rows, all)).toBe(10)
  rows.prepend(summaries(12, 11).toReversed(), null)
  expect(countSelected(rows, all)).toBe(10)
  expect(isSelected(all, 10)).toBe(true)
  expect(isSelected(all, 11)).toBe(false)
})

it('excludes one of all where all are loaded, and reports it otherwise', () => {
  listed(10)
  const { client } = host()
  selectAll()
  toggleAt(client, 8, 2, false)
  expect(chosen()).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10])
  listed(300)
  selectAll()
  toggleAt(client, 299, 1, false)
  expect(useSelection.getState().all).not.toBeNull()
  expect(hasSelection(useSelection.getState())).toBe(true)
})

it('reports the range of rows that are not loaded', () => {
  const ids: readonly (number | null)[] = [9, 8, null, null, 5, null]
  const places = { idAt: (place: number) => ids[place] ?? null }
  expect(rowsBetween(places, 5, 1)).toEqual({
    ids: [8, 5],
    gaps: [
      { from: 2, to: 4 },
      { from: 5, to: 6 },
    ],
  })
})
