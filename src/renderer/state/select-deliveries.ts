import { sentence } from '../platform/call-error.ts'
import type { Client } from '../platform/client.ts'
import { readableFilter } from './readable-filter.ts'
import { say } from '../platform/toasts.ts'
import type { DeliveryRows } from './delivery-rows.ts'
import { shownScope } from './scope.ts'
import { queryOf, useDeliveries } from './deliveries.ts'
import {
  choose,
  chooseWhole,
  type Chosen,
  isChosen,
  toggleChosen,
  useSelection,
} from './selection.ts'

/** As many as one call of the contract gives. */
const pageSize = 500

/** Takes in the one that is selected, moves on, and takes in that one too. */
export function chooseOn(by: 1 | -1, move: (by: number) => void): void {
  const before = useDeliveries.getState().selectedId
  move(by)
  const { selectedId } = useDeliveries.getState()
  if (useSelection.getState().all !== null) return
  choose(
    [before, selectedId].filter((id) => id !== null),
    selectedId,
  )
}

/** How many are chosen. Of a filter as far as it has been searched. */
export function countChosen(rows: DeliveryRows, { ids, all }: Chosen): number {
  if (all === null) return ids.size
  return rows.count - (rows.indexOf(all.upTo) ?? 0)
}

/** Takes one in or out; with `range` all from where it was begun up to this one. */
export function chooseAt(client: Client, id: number, index: number, range: boolean): void {
  const { all, anchorId } = useSelection.getState()
  const { rows, selectedId } = useDeliveries.getState()
  if (all !== null) return leaveOut(id)
  const begin = anchorId ?? selectedId
  const from = begin === null ? null : rows.indexOf(begin)
  if (!range || from === null) return toggleChosen(id)
  const { ids: found, gaps } = rowsBetween(rows, from, index)
  choose(found, id)
  for (const gap of gaps) void chooseGap(client, gap.from, gap.to)
}

/** All but one of a filter: possible where all of them are here. */
function leaveOut(id: number): void {
  const { rows } = useDeliveries.getState()
  const { all } = useSelection.getState()
  if (all === null || !isChosen({ ids: new Set(), all }, id)) return
  const { ids, gaps } = rowsBetween(rows, 0, rows.count - 1)
  if (gaps.length > 0 || !rows.complete) {
    say('invalid', 'All results of a filter are sent together. Narrow the filter to exclude some.')
    return
  }
  useSelection.setState({
    ids: new Set(ids.filter((other) => other !== id && other <= all.upTo)),
    all: null,
    anchorId: id,
  })
}

/** All that the list holds by its filter. */
export function chooseAll(): void {
  if (!readableFilter()) return
  const state = useDeliveries.getState()
  const { rows } = state
  if (rows.count === 0) return
  chooseWhole({ filter: queryOf(state), upTo: rows.idAt(0) ?? rows.anchor })
}

/** Asks for the rows of places that are not here. */
async function chooseGap(client: Client, from: number, to: number): Promise<void> {
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
      choose(
        page.rows.map(({ id }) => id),
        useSelection.of(log).getState().anchorId,
        log,
      )
    }
  } catch (error) {
    say('invalid', `Could not select all of them. ${sentence(error)}`)
  }
}

/** What is known of the list: the id at a place, null while its row is not here. */
interface Places {
  idAt(index: number): number | null
}

interface Stretch {
  readonly ids: readonly number[]
  /** Places whose rows are not here: from one, up to before another. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[]
}

/** The ids between two places of the list, both taken in, whichever comes first. */
export function rowsBetween(rows: Places, one: number, other: number): Stretch {
  const ids: number[] = []
  const gaps: { from: number; to: number }[] = []
  for (let place = Math.min(one, other); place <= Math.max(one, other); place += 1) {
    const id = rows.idAt(place)
    const last = gaps.at(-1)
    if (id !== null) ids.push(id)
    else if (last?.to === place) last.to = place + 1
    else gaps.push({ from: place, to: place + 1 })
  }
  return { ids, gaps }
}
