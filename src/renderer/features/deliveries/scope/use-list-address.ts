import { useStore } from 'zustand'
import { filterAddress } from '../address.ts'
import { useDeliveries } from '../store.ts'
import type { Scope } from './scope.ts'

/** Where a list is found as it was left, by its filter. */
export function useListAddress(scope: Scope): string {
  return useStore(useDeliveries.of(scope), ({ filter }) => filterAddress(filter, scope))
}

/** The same, for what is no component. */
export function listAddress(scope: Scope): string {
  return filterAddress(useDeliveries.of(scope).getState().filter, scope)
}
