import type { DeliverySummary } from '#contract/models.ts'
import { throttle } from '#shared/async/throttle.ts'
import { steadyClock } from '../platform/clock.ts'

/** A push carries at most this many rows. */
const pushedRows = 100
/** Pushes are at least this far apart, in milliseconds. */
const pushEveryMs = 100

export interface ChangedRows {
  readonly add: (ids: readonly number[]) => void
  /** What was not told yet is not told any more. */
  readonly stop: () => void
}

/**
 * Tells which rows changed that are written by the thousand. Reading and telling one costs as much as writing it, so in a flood most are told
 * behind it, those that changed last first. None is left out: a list shows what it was told last. Several changes of one row before its turn
 * are told as one.
 */
export function createChangedRows(
  read: (ids: readonly number[]) => DeliverySummary[],
  tell: (rows: DeliverySummary[]) => void,
): ChangedRows {
  const waiting = new Set<number>()
  const telling = throttle(steadyClock, pushEveryMs, () => {
    const ids = Array.from(waiting).slice(-pushedRows)
    for (const id of ids) waiting.delete(id)
    const rows = read(ids)
    if (rows.length > 0) tell(rows)
    if (waiting.size > 0) telling.wanted()
  })
  return {
    add: (ids) => {
      for (const id of ids) waiting.add(id)
      if (waiting.size > 0) telling.wanted()
    },
    stop: telling.stop,
  }
}
