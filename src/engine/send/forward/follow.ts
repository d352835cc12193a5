import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../capture/progress.ts'
import { prepare, type Db } from '../../store/driver.ts'

/** What decides whether a delivery is forwarded. */
export interface Followed {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly arrival: string
  readonly own: string | null
  readonly answeredBy: string | null
}

/** So many are read in one go. */
const atOnce = 500
/** After it has read it rests so long, in milliseconds: in a flood each look finds several, and takes less of the processor. */
const restMs = 5
/** Without a word of the writer it looks again after so long, in milliseconds; and after a read that failed. */
const lookEveryMs = 1000
/** At the end the store may take so long to have what was answered, in milliseconds. */
const levelMs = 500

/**
 * Reads every delivery behind `from` once, in order, as soon as it is in the store. `wanted` says whether anybody asks for them: what nobody
 * asks for is passed over unread. `close` takes along what was answered already.
 */
export function follow(options: {
  readonly db: Db
  readonly progress: Progress
  readonly from: number
  readonly wanted: () => boolean
  readonly take: (delivery: Followed) => void
}): { close(): Promise<void> } {
  const { db, progress, wanted, take } = options
  const select = prepare<[number, number], Followed>(
    db,
    `SELECT id, endpoint_id AS endpointId, type, arrival, own, answered_by AS answeredBy FROM delivery
     WHERE id > ? AND id <= ? ORDER BY id LIMIT ${atOnce}`,
  )
  let at = options.from
  let closing = false

  /** False: there is nothing more for now. */
  const some = (): boolean => {
    const stored = progress.storedId
    if (stored <= at) return false
    const rows = wanted() ? select.all(at, stored) : []
    for (const row of rows) take(row)
    // Ids that are not there were deleted already.
    at = rows.length < atOnce ? stored : (rows.at(-1)?.id ?? stored)
    return true
  }

  const loop = async (): Promise<void> => {
    while (!closing) {
      try {
        if (some()) await pause(restMs)
        else await progress.pastStored(at, lookEveryMs)
      } catch {
        // The store is busy or damaged; the writer says so, and what is there is read again.
        await pause(lookEveryMs, undefined, { ref: false })
      }
    }
  }
  const looping = loop()

  return {
    close: async () => {
      closing = true
      progress.wakeStored()
      await looping
      if (!wanted()) return
      const deadline = performance.now() + levelMs
      const upTo = progress.lastId
      for (;;) {
        try {
          while (some());
        } catch {
          return
        }
        const left = deadline - performance.now()
        if (at >= upTo || left <= 0) return
        await progress.pastStored(at, left)
      }
    },
  }
}
