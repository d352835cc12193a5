import { create } from 'zustand'
import { openDelivery, useDeliveries } from '../deliveries/store.ts'

interface DiffState {
  /** The delivery that others are compared with; null: none is chosen. */
  readonly baseId: number | null
}

export const useDiff = create<DiffState>(() => ({ baseId: null }))

export function setBase(baseId: number | null): void {
  useDiff.setState({ baseId })
}

/** The one key for it: the first delivery becomes the base, any other is compared with it, the base itself ends it. */
export function compare(): void {
  const { selectedId } = useDeliveries.getState()
  const { baseId } = useDiff.getState()
  if (selectedId === null) return
  if (baseId === null) setBase(selectedId)
  else if (baseId === selectedId) setBase(null)
  else showDiff(selectedId)
}

/** Shows how a delivery differs from the base. */
export function showDiff(id: number): void {
  openDelivery(id)
  useDeliveries.setState({ tab: 'diff' })
}
