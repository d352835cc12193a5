import type { Filter } from '#contract/filter/ast.ts'
import type { Binder } from './binder.ts'

/**
 * How few deliveries a kind of term usually leaves, the fewest first. The first one that a filter has decides which index is read; the
 * others are looked at on the rows that it gives.
 */
export const driverOrder = [
  'ref',
  'finding',
  'tag',
  'mark',
  'text',
  'location',
  'severity',
  'attempt',
  'type and verdict',
  'type',
  'status',
  'verdict',
  'endpoint',
] as const

/** Where the rows of a filter are looked for. */
export interface Driver {
  readonly kind: (typeof driverOrder)[number]
  /**
   * Each gives ids of deliveries from @lo to @hi, and all of them together every one that can match. `on`: a condition on `delivery AS d`
   * and the index that it is read by; else a SELECT of ids.
   */
  readonly arms: readonly Arm[]
  /** Terms that need not be looked at again. */
  readonly covers: readonly Filter[]
}

export type Arm =
  | { readonly on: string; readonly index: string }
  | {
      readonly ids: string
      /** It knows nothing of deliveries that are not in the search index yet. */
      readonly indexed: boolean
    }

/** A driver still to be written: nothing is bound for those that are not chosen. */
export interface Candidate {
  readonly kind: Driver['kind']
  readonly covers: readonly Filter[]
  readonly arms: (binder: Binder) => readonly Arm[]
  readonly count: number
}
