import os from 'node:os'
import { prepare, type Db } from './sqlite.ts'

/** A clock that is set wrong, by hand or at boot, is usually corrected sooner. */
const doubtMs = 86_400_000

/** Milliseconds since the epoch; 0: none. */
interface Times {
  readonly believed: number
  /** Shown since the clock was last changed. Believed once the clock shows a day more. */
  readonly seen: number
}

/**
 * The time by which things may be deleted for their age: one that the system's clock showed at least a day ago, and went on from. Returns a function to call
 * often, which stores what the clock shows, and returns that time in milliseconds since the epoch; 0: none yet.
 */
export function createBelievedTime(
  db: Db,
  system: () => number = Date.now,
  uptimeMs: () => number = () => os.uptime() * 1000,
): () => number {
  const read = prepare<[], Times>(
    db,
    'SELECT believed_ms AS believed, seen_ms AS seen FROM progress',
  )
  const write = prepare<[Times]>(db, 'UPDATE progress SET believed_ms = $believed, seen_ms = $seen')
  let bootedAt: number | null = null
  return () => {
    const now = system()
    // The uptime includes sleep.
    const booted = now - uptimeMs()
    const isAhead = bootedAt !== null && booted - bootedAt >= doubtMs
    bootedAt = booted
    const { believed, seen } = read.get() ?? { believed: 0, seen: 0 }
    const isChanged = isAhead || now < seen
    if (!isChanged && now - seen < doubtMs) return believed
    const next = { believed: isChanged ? Math.min(believed, now) : seen, seen: now }
    write.run(next)
    return next.believed
  }
}
