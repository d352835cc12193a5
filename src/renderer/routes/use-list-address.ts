import { useStore } from 'zustand'
import { listAddressOf } from './deliveries.ts'
import { deliveriesOf } from '../state/deliveries.ts'
import type { Scope } from '../state/scope.ts'

/** Where a list is found as it was left: its filter, and the delivery that is open. */
export function useListAddress(scope: Scope): string {
  return useStore(deliveriesOf(scope), (state) => listAddressOf(state, scope))
}

/** The same, for what is no component. */
export function listAddress(scope: Scope): string {
  return listAddressOf(deliveriesOf(scope).getState(), scope)
}
