import { create } from 'zustand'
import type { Scope } from '../deliveries/scope/scope.ts'
import { shownScope } from '../deliveries/scope/scope.ts'
import { listAddress } from '../deliveries/scope/use-list-address.ts'
import { openDelivery, useDeliveries } from '../deliveries/store.ts'

/** A delivery that others are compared with, of any scope: one of a log can be held against a live one. */
export interface DiffBase {
  readonly log: Scope
  readonly id: number
}

interface DiffState {
  /** Null: none is chosen. */
  readonly base: DiffBase | null
}

export const useDiff = create<DiffState>(() => ({ base: null }))

export function setBase(base: DiffBase | null): void {
  useDiff.setState({ base })
}

/** Whether it is this delivery of this scope. */
export function isBase(base: DiffBase | null, log: Scope, id: number | null): boolean {
  return base !== null && base.log === log && base.id === id
}

/** The one key for it: the first delivery becomes the base, any other is compared with it, the base itself ends it. */
export function compare(): void {
  const log = shownScope()
  const { selectedId: id } = useDeliveries.getState()
  const { base } = useDiff.getState()
  if (id === null) return
  if (base === null) setBase({ log, id })
  else if (isBase(base, log, id)) setBase(null)
  else showDiff({ log, id })
}

/** Shows how a delivery differs from the base, in the list that it belongs to. */
export function showDiff({ log, id }: DiffBase): void {
  openDelivery(id, log)
  useDeliveries.of(log).setState({ tab: 'diff' })
  if (log !== shownScope()) location.assign(listAddress(log))
}
