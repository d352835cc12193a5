import type { Captured } from '../../store/captured.ts'
import { prepare, type Db } from '../../store/driver.ts'

/** Of the deliveries that drafts come from so many are held: the one that is written at, and one beside it. */
const held = 2

/** Deliveries for previews, which are asked for at each keystroke: the body is read once. Null: it is gone. */
export function cacheCaptured(
  db: Db,
  read: (id: number) => Captured | null,
): (id: number) => Captured | null {
  const exists = prepare<[number], { id: number }>(db, 'SELECT id FROM delivery WHERE id = ?')
  const kept = new Map<number, Captured>()
  return (id) => {
    const found = exists.get(id) ? (kept.get(id) ?? read(id)) : null
    kept.delete(id)
    if (!found) return null
    // The last one used is the last to go.
    kept.set(id, found)
    for (const oldest of kept.keys()) {
      if (kept.size <= held) break
      kept.delete(oldest)
    }
    return found
  }
}
