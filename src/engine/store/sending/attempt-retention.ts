import { setImmediate as turn } from 'node:timers/promises'
import { prepare, type Db } from '../driver.ts'

export interface AttemptLimits {
  readonly attempts: number
  /** Of records and bodies together. */
  readonly bytes: number
}

export const attemptLimits: AttemptLimits = { attempts: 100_000, bytes: 512 * 1024 * 1024 }

/** Deleted at once: few enough that the writer is soon back at what arrives. */
const stepRows = 64

interface Oldest {
  readonly id: number
  readonly delivery_id: number | null
  readonly stored_bytes: number
}

/**
 * Keeps attempts within their limits: the oldest go first, in small steps with turns between them, the newest never. `changed` hears of
 * deliveries that have no attempt left.
 */
export function createAttemptRetention(
  db: Db,
  changed: (ids: readonly number[]) => void,
  limits: AttemptLimits,
): () => Promise<void> {
  const tally = prepare<[], AttemptLimits>(db, 'SELECT attempts, bytes FROM attempt_tally')
  const oldest = prepare<[number], Oldest>(
    db,
    `SELECT id, delivery_id, stored_bytes FROM attempt
     WHERE id < (SELECT max(id) FROM attempt) ORDER BY id LIMIT ?`,
  )
  const remove = prepare<[number]>(db, 'DELETE FROM attempt WHERE id = ?')
  const forget = prepare<[number]>(
    db,
    `UPDATE delivery SET sent = NULL
     WHERE id = ? AND NOT EXISTS (SELECT 1 FROM attempt WHERE delivery_id = delivery.id)`,
  )

  /** True when there may be more to do. */
  const step = db.transaction((): boolean => {
    const taken = tally.get()
    let rows = (taken?.attempts ?? 0) - limits.attempts
    let bytes = (taken?.bytes ?? 0) - limits.bytes
    if (rows <= 0 && bytes <= 0) return false
    const deliveries = new Set<number>()
    const candidates = oldest.all(stepRows)
    for (const { id, delivery_id, stored_bytes } of candidates) {
      if (rows <= 0 && bytes <= 0) break
      remove.run(id)
      if (delivery_id !== null) deliveries.add(delivery_id)
      rows -= 1
      bytes -= stored_bytes
    }
    changed([...deliveries].filter((id) => forget.run(id).changes > 0))
    return candidates.length > 0 && (rows > 0 || bytes > 0)
  })

  return async () => {
    while (db.open && step()) await turn()
  }
}
