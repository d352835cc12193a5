import { create } from 'zustand'
import { noFilter, type DeliveryFilter } from './filter.ts'
import { DeliveryRows } from './rows.ts'

export const detailTabs = ['overview', 'headers', 'body', 'signature', 'trace'] as const
export type DetailTab = (typeof detailTabs)[number]

interface DeliveriesState {
  /** Changed in place; `revision` tells that it was. */
  readonly rows: DeliveryRows
  readonly revision: number
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly message: string
  readonly filter: DeliveryFilter
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
  readonly selectedId: number | null
  /** Whether the selected delivery is shown in the detail pane. */
  readonly open: boolean
  readonly tab: DetailTab
}

export const useDeliveries = create<DeliveriesState>(() => ({
  rows: new DeliveryRows(),
  revision: 0,
  phase: 'loading',
  message: '',
  filter: noFilter,
  unknownTypes: [],
  paused: false,
  atTop: true,
  waiting: 0,
  waitingAtLeast: false,
  seen: { from: 0, to: 50 },
  selectedId: null,
  open: false,
  tab: 'overview',
}))

/** Shows a delivery in the detail pane. */
export function openDelivery(id: number): void {
  useDeliveries.setState({ selectedId: id, open: true })
}

export function closeDelivery(): void {
  useDeliveries.setState({ open: false })
}

export function setFilter(filter: DeliveryFilter): void {
  useDeliveries.setState({ filter })
}

export function togglePause(): void {
  useDeliveries.setState(({ paused }) => ({ paused: !paused }))
}
