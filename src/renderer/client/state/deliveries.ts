import type { StoreApi } from 'zustand'
import type { ListSort } from '#contract/deliveries.ts'
import { toast } from '#kit/toasts.ts'
import { filterFault } from './filter.ts'
import { DeliveryRows } from './delivery-rows.ts'
import { scoped, type Scope, shownScope } from './scope.ts'

export const detailTabs = ['overview', 'request', 'signature', 'trace', 'attempts'] as const
export type DetailTab = (typeof detailTabs)[number]

export const groupings = ['cause', 'tab', 'endpoint', 'type'] as const
export type Grouping = (typeof groupings)[number]

interface Search {
  /** The reference time of `since:2h`, in milliseconds since the epoch; null before the first response. */
  readonly asOf: number | null
  readonly complete: boolean
  /** 0 to 1. */
  readonly searched: number
}

export interface DeliveriesState {
  /** Mutable. `revision` increases with each change. */
  readonly rows: DeliveryRows
  readonly revision: number
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly message: string
  /** The text in the field, valid or not. */
  readonly text: string
  /** The last valid text, trimmed. The list uses it. */
  readonly filter: string
  /** Only deliveries of this integration are listed; null for all. Always null in a log. */
  readonly integrationId: number | null
  /** Whether the page URL contained an invalid filter. There is no list then. */
  readonly filterInvalid: boolean
  /** Increases when a complete filter is applied, as opposed to typed. Each one becomes a history entry. */
  readonly appliedCount: number
  readonly search: Search
  /** Increases when the same filter is requested again. */
  readonly requestCount: number
  /** The user has stopped the search. */
  readonly stopped: boolean
  /** Received event types that are not in the API documentation. */
  readonly unknownTypes: readonly string[]
  /** Received names of locations, at most two: whether there are several. */
  readonly locations: readonly string[]
  /** The list shows groups instead of deliveries; null: deliveries. */
  readonly grouping: Grouping | null
  /** Null: newest first. New deliveries are not added to a list that is sorted otherwise. */
  readonly sort: ListSort | null
  readonly paused: boolean
  /** Whether the user is at the top. Only then does the list show new deliveries automatically. */
  readonly atTop: boolean
  /** The selected delivery that the user has left in place for newer ones. The list is live although it is selected. */
  readonly releasedId: number | null
  /** Received deliveries that are not in the list yet. */
  readonly waiting: number
  /** Whether there may be more than `waiting`, because not every delivery was pushed. */
  readonly waitingAtLeast: boolean
  /** The visible index range of the list. */
  readonly seen: { readonly from: number; readonly to: number }
  /** The scroll position in pixels, and the filter it belongs to. */
  readonly place: { readonly filter: string; readonly top: number }
  readonly selectedId: number | null
  /** A delivery that was opened by a link, until its row is visible. */
  readonly revealId: number | null
  /** Whether the selected delivery is shown in the detail pane. */
  readonly open: boolean
  readonly tab: DetailTab
}

/** One state for each scope: the live list and each open log. */
export const useDeliveries = scoped<DeliveriesState>(() => ({
  rows: new DeliveryRows(),
  revision: 0,
  phase: 'loading',
  message: '',
  text: '',
  filter: '',
  integrationId: null,
  filterInvalid: false,
  appliedCount: 0,
  requestCount: 0,
  search: { asOf: null, complete: true, searched: 1 },
  stopped: false,
  unknownTypes: [],
  locations: [],
  grouping: null,
  releasedId: null,
  sort: null,
  paused: false,
  atTop: true,
  waiting: 0,
  waitingAtLeast: false,
  seen: { from: 0, to: 50 },
  place: { filter: '', top: 0 },
  selectedId: null,
  revealId: null,
  open: false,
  tab: 'overview',
}))

/** The filter sent to the engine: the filter of the list, limited to the listed integration. */
export function queryOf({
  filter,
  integrationId,
}: Pick<DeliveriesState, 'filter' | 'integrationId'>): string {
  if (integrationId === null) return filter
  const scope = `integration:${integrationId}`
  return filter === '' ? scope : `${scope} (${filter})`
}

/** The state of a list, whether it is shown or not. */
export function deliveriesOf(scope: Scope): StoreApi<DeliveriesState> {
  return useDeliveries.of(scope)
}

/** Shows a delivery in the detail pane. The default is the scope that is shown. */
export function openDelivery(id: number, scope: Scope = shownScope()): void {
  useDeliveries.of(scope).setState({ selectedId: id, open: true })
}

export function closeDelivery(): void {
  useDeliveries.setState({ open: false })
}

/** In the list of a scope whose page shows something else. */
export function closeDeliveryOf(scope: Scope): void {
  useDeliveries.of(scope).setState({ open: false })
}

/** Sorts the list by a column, then the other way, then by arrival again. */
export function sortBy(by: ListSort['by']): void {
  useDeliveries.setState(({ sort }) => {
    const first = by === 'amount' || by === 'outcome'
    if (sort?.by !== by) return { sort: { by, descending: first } }
    return {
      sort: sort.descending === first && by !== 'received' ? { by, descending: !first } : null,
    }
  })
}

/** What the list shows: a change of it loads the list again. */
export function isSameList(state: DeliveriesState, before: DeliveriesState): boolean {
  return (
    queryOf(state) === queryOf(before) &&
    state.sort === before.sort &&
    state.requestCount === before.requestCount
  )
}

/** Applies a filter. An invalid text is only put into the field. */
export function setFilterText(text: string): void {
  const filter = text.trim()
  useDeliveries.setState(({ appliedCount }) =>
    filterFault(filter) === null
      ? { text, filter, filterInvalid: false, appliedCount: appliedCount + 1 }
      : { text },
  )
}

/** Applies the text in the field. Returns false if it is invalid. */
export function applyText(): boolean {
  const filter = useDeliveries.getState().text.trim()
  if (filterFault(filter) !== null) return false
  useDeliveries.setState({ filter, filterInvalid: false })
  return true
}

/**
 * Whether the filter field contains a valid filter. If not, shows a message and focuses the field. The list then still shows the results of
 * an earlier filter, so an action on all of them would affect the wrong deliveries.
 */
export function readableFilter(): boolean {
  if (filterFault(useDeliveries.getState().text) === null) return true
  toast('invalid', 'Fix the filter error first, or clear the filter.', { about: 'filter' })
  document.querySelector<HTMLElement>('[data-filter-field]')?.focus()
  return false
}

/** Applies the filter of a page URL. */
export function setFilterFromAddress(filter: string, scope: Scope): void {
  const deliveries = useDeliveries.of(scope)
  const before = deliveries.getState()
  if (filter === before.filter && !before.filterInvalid) return
  deliveries.setState(
    filterFault(filter) === null
      ? { text: filter, filter, filterInvalid: false }
      : { text: filter, filter: '', filterInvalid: true },
  )
}

/** Whether new deliveries are added to the list: it is at its top, and the row of an open delivery would not move. */
export function isLive(state: DeliveriesState): boolean {
  const { atTop, paused, sort, rows, open, selectedId, releasedId } = state
  if (!atTop || paused || sort !== null) return false
  return (
    !open || selectedId === null || selectedId === releasedId || rows.indexOf(selectedId) === null
  )
}

export function togglePause(): void {
  useDeliveries.setState(({ paused }) => ({ paused: !paused }))
}
