import type { StoreApi } from 'zustand'
import { filterFault } from './filter.ts'
import { DeliveryRows } from './delivery-rows.ts'
import { scoped, type Scope, shownScope } from './scope.ts'

export const detailTabs = [
  'overview',
  'headers',
  'body',
  'signature',
  'trace',
  'diff',
  'attempts',
] as const
export type DetailTab = (typeof detailTabs)[number]

/** How far the list has been searched for. */
interface Search {
  /** What `since:2h` counts from, in milliseconds since the epoch; null before the first answer. */
  readonly asOf: number | null
  readonly complete: boolean
  /** 0 to 1. */
  readonly searched: number
}

export interface DeliveriesState {
  /** Changed in place; `revision` tells that it was. */
  readonly rows: DeliveryRows
  readonly revision: number
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly message: string
  /** What stands in the field, whether it can be read or not. */
  readonly text: string
  /** The last text that could be read: the list is by this one. Without white space at its ends. */
  readonly filter: string
  /** Only deliveries of this integration are listed; null: of all. Always null in a log. */
  readonly integrationId: number | null
  /** True when the address brought a text that cannot be read: there is no list to show then. */
  readonly unread: boolean
  /** Grows when a filter is chosen as a whole, as against typed: each is a place to go back to. */
  readonly choices: number
  readonly search: Search
  /** Grows when the same filter is asked for once more. */
  readonly asked: number
  /** The user has stopped the search. */
  readonly stopped: boolean
  /** Types that came and that the document does not know. */
  readonly unknownTypes: readonly string[]
  readonly paused: boolean
  /** True while the user is at the top: only then the list follows what arrives. */
  readonly atTop: boolean
  /** Deliveries that arrived and are not in the list. */
  readonly waiting: number
  /** True when `waiting` may be more than what is known, since a flood was not pushed as a whole. */
  readonly waitingAtLeast: boolean
  /** Places of the list that are seen. */
  readonly seen: { readonly from: number; readonly to: number }
  /** How far down the list one is, in pixels, under which filter. */
  readonly place: { readonly filter: string; readonly top: number }
  readonly selectedId: number | null
  /** Whether the selected delivery is shown in the detail pane. */
  readonly open: boolean
  readonly tab: DetailTab
}

/** Of each scope its own: the live list, and that of each log that is open. */
export const useDeliveries = scoped<DeliveriesState>(() => ({
  rows: new DeliveryRows(),
  revision: 0,
  phase: 'loading',
  message: '',
  text: '',
  filter: '',
  integrationId: null,
  unread: false,
  choices: 0,
  asked: 0,
  search: { asOf: null, complete: true, searched: 1 },
  stopped: false,
  unknownTypes: [],
  paused: false,
  atTop: true,
  waiting: 0,
  waitingAtLeast: false,
  seen: { from: 0, to: 50 },
  place: { filter: '', top: 0 },
  selectedId: null,
  open: false,
  tab: 'overview',
}))

/** The filter by which the engine is asked: that of the field, within the integration that is listed. */
export function queryOf({
  filter,
  integrationId,
}: Pick<DeliveriesState, 'filter' | 'integrationId'>): string {
  if (integrationId === null) return filter
  const scope = `integration:${integrationId}`
  return filter === '' ? scope : `${scope} (${filter})`
}

/** The state of one list, shown or not. */
export function deliveriesOf(scope: Scope): StoreApi<DeliveriesState> {
  return useDeliveries.of(scope)
}

/** Shows a delivery in the detail pane: of the scope that is shown, where no other is named. */
export function openDelivery(id: number, scope: Scope = shownScope()): void {
  useDeliveries.of(scope).setState({ selectedId: id, open: true })
}

export function closeDelivery(): void {
  useDeliveries.setState({ open: false })
}

/** Shows the deliveries that match, from wherever this is called. A text that cannot be read only goes into the field. */
export function setFilterText(text: string): void {
  const filter = text.trim()
  useDeliveries.setState(({ choices }) =>
    filterFault(filter) === null ? { text, filter, unread: false, choices: choices + 1 } : { text },
  )
}

/** The list by what stands in the field, where it can be read; false where it cannot. */
export function applyText(): boolean {
  const filter = useDeliveries.getState().text.trim()
  if (filterFault(filter) !== null) return false
  useDeliveries.setState({ filter, unread: false })
  return true
}

/** Takes the filter that an address carries. */
export function takeFilter(filter: string, scope: Scope): void {
  const deliveries = useDeliveries.of(scope)
  const before = deliveries.getState()
  if (filter === before.filter && !before.unread) return
  deliveries.setState(
    filterFault(filter) === null
      ? { text: filter, filter, unread: false }
      : { text: filter, filter: '', unread: true },
  )
}

export function togglePause(): void {
  useDeliveries.setState(({ paused }) => ({ paused: !paused }))
}
