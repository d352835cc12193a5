import type { Job } from '#contract/sending.ts'
import type { Clock } from '../../clock.ts'
import type { Item, ItemStore } from './claims.ts'

/** How one ended. */
export interface Ended {
  /** `left`: cut off because Tabscope ends, so that nobody knows whether it arrived. */
  readonly as: 'ok' | 'failed' | 'skipped' | 'left'
  readonly status: number | null
  /** As a sentence. */
  readonly error: string | null
  /** What it takes in memory until it is stored. */
  readonly bytes: number
  readonly stored: Promise<unknown>
}

/** It was not begun, and neither can the others be. */
export interface Halted {
  readonly as: 'halted'
  readonly reason: string
}

export interface RunStore extends ItemStore {
  setState(state: Job['state'], reason: string | null, endedAt: number | null): Promise<void>
  /** As it is stored. */
  job(): Job
}

export interface RunParts {
  readonly store: RunStore
  readonly clock: Clock
  /** Resolves when the target is done with it; never rejects. `next`: what is claimed behind it. */
  send(item: Item, next: readonly Item[], signal: AbortSignal): Promise<Ended | Halted>
  /** Something has changed. */
  changed(): void
  /** It has ended, or is paused with nothing under way: the store has all of it. */
  atRest(): void
}
