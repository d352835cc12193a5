import { throttle } from '#shared/async/throttle.ts'
import { steadyClock } from '../platform/clock.ts'

const pushedRows = 100
const pushEveryMs = 100

export type ChangedRows = ReturnType<typeof createChangedRows>

/** Reporting a row costs as much as writing it, so reports lag behind under load, newest first. No row is omitted; several changes of one are reported once. */
export function createChangedRows(report: (ids: number[]) => void) {
  const waiting = new Set<number>()
  const reporting = throttle(steadyClock, pushEveryMs, () => {
    const ids = Array.from(waiting).slice(-pushedRows)
    for (const id of ids) waiting.delete(id)
    report(ids)
    if (waiting.size > 0) reporting.wanted()
  })
  return {
    add: (ids: readonly number[]) => {
      for (const id of ids) waiting.add(id)
      if (waiting.size > 0) reporting.wanted()
    },
    stop: reporting.stop,
  }
}
