import { messageOf } from '#kit/use-action.ts'
import type { Client } from '../client.ts'
import { readableFilter, queryOf, useDeliveries } from './deliveries.ts'
import { toast } from '#kit/toasts.ts'
import type { DeliveryRows } from './delivery-rows.ts'
import { shownScope } from './scope.ts'
import {
  select,
  selectAllMatching,
  type Selection,
  isSelected,
  toggleSelected,
  useSelection,
} from './selection.ts'

/** The maximum that the contract allows for one call. */
const pageSize = 500

/** Selects the current delivery, moves the cursor, and selects the new current delivery. */
export function extendSelection(by: 1 | -1, move: (by: number) => void): void {
  const previousId = useDeliveries.getState().selectedId
  move(by)
  const { selectedId } = useDeliveries.getState()
  if (useSelection.getState().all !== null) return
  select(
    [previousId, selectedId].filter((id) => id !== null),
    selectedId,
  )
}

/** How many deliveries are selected. For a filter, the number found so far. */
export function countSelected(rows: DeliveryRows, { ids, all }: Selection): number {
  if (all === null) return ids.size
  return rows.count - (rows.indexOf(all.upTo) ?? 0)
}

/** Selects or deselects a delivery. With `range`, selects all from the anchor to this one. */
export function toggleAt(client: Client, id: number, index: number, range: boolean): void {
  const { all, anchorId } = useSelection.getState()
  const { rows, selectedId } = useDeliveries.getState()
  if (all !== null) return deselectFromAll(id)
  const startId = anchorId ?? selectedId
  const from = startId === null ? null : rows.indexOf(startId)
  if (!range || from === null) return toggleSelected(id)
  const { ids: found, gaps } = rowsBetween(rows, from, index)
  select(found, id)
  for (const gap of gaps) void selectGap(client, gap.from, gap.to)
}

/** Deselects one delivery of all that match a filter. Only possible if all rows are loaded. */
function deselectFromAll(id: number): void {
  const { rows } = useDeliveries.getState()
  const { all } = useSelection.getState()
  if (all === null || !isSelected({ ids: new Set(), all }, id)) return
  const { ids, gaps } = rowsBetween(rows, 0, rows.count - 1)
  if (gaps.length > 0 || !rows.complete) {
    toast(
      'invalid',
      'You cannot deselect a single result until all results are loaded. Narrow the filter instead.',
    )
    return
  }
  useSelection.setState({
    ids: new Set(ids.filter((other) => other !== id && other <= all.upTo)),
    all: null,
    anchorId: id,
  })
}

/** Selects all deliveries that match the current filter. */
export function selectAll(): void {
  if (!readableFilter()) return
  const state = useDeliveries.getState()
  const { rows } = state
  if (rows.count === 0) return
  selectAllMatching({ filter: queryOf(state), upTo: rows.newest })
}

async function selectGap(client: Client, from: number, to: number): Promise<void> {
  const log = shownScope()
  const state = useDeliveries.getState()
  const { rows, search } = state
  const filter = queryOf(state)
  const { anchor } = rows
  const { above } = rows
  try {
    for (let offset = from - above; offset < to - above; offset += pageSize) {
      const page = await client.call('deliveries.page', {
        log,
        filter,
        upTo: anchor,
        asOf: search.asOf,
        offset,
        limit: Math.min(pageSize, to - above - offset),
      })
      select(
        page.rows.map(({ id }) => id),
        useSelection.of(log).getState().anchorId,
        log,
      )
    }
  } catch (error) {
    toast('invalid', `Could not select all of them. ${messageOf(error)}`)
  }
}

interface RowIds {
  idAt(index: number): number | null
}

interface Range {
  readonly ids: readonly number[]
  /** Index ranges without loaded rows; `to` is exclusive. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[]
}

/** The IDs between two indexes, both included, in any order. */
export function rowsBetween(rows: RowIds, a: number, b: number): Range {
  const ids: number[] = []
  const gaps: { from: number; to: number }[] = []
  for (let index = Math.min(a, b); index <= Math.max(a, b); index += 1) {
    const id = rows.idAt(index)
    const last = gaps.at(-1)
    if (id !== null) ids.push(id)
    else if (last?.to === index) last.to = index + 1
    else gaps.push({ from: index, to: index + 1 })
  }
  return { ids, gaps }
}
