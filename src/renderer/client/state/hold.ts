import { create } from 'zustand'
import type { HeldDelivery, HoldState } from '#contract/hold.ts'

type HoldDialog =
  | { readonly kind: 'hold'; readonly filter: string }
  | { readonly kind: 'respond'; readonly ids: readonly number[] }

interface HoldingState extends HoldState {
  readonly dialog: HoldDialog | null
}

export const useHold = create<HoldingState>(() => ({
  rules: [],
  held: [],
  notHeld: 0,
  dialog: null,
}))

export function setHold(state: HoldState): void {
  useHold.setState(state)
}

/** Whether there is something to show about it. */
export function isHolding({ rules, held, notHeld }: HoldingState): boolean {
  return rules.length > 0 || held.length > 0 || notHeld > 0
}

export function askToHold(filter: string): void {
  useHold.setState({ dialog: { kind: 'hold', filter } })
}

export function askToRespond(held: readonly HeldDelivery[]): void {
  useHold.setState({
    dialog: { kind: 'respond', ids: held.map(({ deliveryId }) => deliveryId) },
  })
}
