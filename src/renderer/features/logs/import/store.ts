import { create } from 'zustand'

/** A file that could not even be begun with, or not be read to its end; told until it is dismissed. */
export interface Refused {
  readonly id: number
  readonly name: string
  readonly message: string
}

interface ImportingState {
  readonly refused: readonly Refused[]
  /** Files that wait for the one before. */
  readonly waiting: number
}

export const useImporting = create<ImportingState>(() => ({ refused: [], waiting: 0 }))

let next = 1

export function refuse(name: string, message: string): void {
  const id = next++
  useImporting.setState(({ refused }) => ({ refused: [{ id, name, message }, ...refused] }))
}

export function dismissRefused(id: number): void {
  useImporting.setState(({ refused }) => ({ refused: refused.filter((one) => one.id !== id) }))
}
