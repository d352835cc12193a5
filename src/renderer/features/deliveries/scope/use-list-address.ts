import { useStore } from 'zustand'
import { filterAddress } from '../address.ts'
import { deliveriesOf } from '../store.ts'
import type { Scope } from './scope.ts'

/** Where a list is found as it was left, by its filter. */
export function useListAddress(scope: Scope): string {
  return useStore(deliveriesOf(scope), ({ filter }) => filterAddress(filter, scope))
}

/** The same, for what is no component. */
export function listAddress(scope: Scope): string {
  return filterAddress(deliveriesOf(scope).getState().filter, scope)
}
