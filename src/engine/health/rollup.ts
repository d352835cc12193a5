import type { Span } from './local-time.ts'

/** Stands for locations and types beyond the maximum number of series. */
export const others = '*'

/** What a count is about. */
export interface Series {
  /** 0: none. */
  readonly endpointId: number
  readonly location: string
  readonly type: string
}

export interface RollupRow {
  readonly span: Span
  /** In minutes since the epoch. */
  readonly at: number
  readonly seriesId: number
  received: number
  /** By ID of the metric. */
  readonly counts: Map<number, number>
}

export function addTo(counts: Map<number, number>, id: number, by = 1): void {
  const sum = (counts.get(id) ?? 0) + by
  if (sum <= 0) counts.delete(id)
  else counts.set(id, sum)
}
