import type { DeliverySummary } from '#contract/models.ts'
import { prepare, type Db } from '../driver.ts'
import { bodySlot, eventSlot, refSlots } from './limits.ts'
import type { Ref } from './searchable.ts'

export type Repeats = NonNullable<DeliverySummary['repeats']>

/** Hashes are short: so many that share one are looked at for one that is really the same. */
const candidates = 8

/** Finds the earliest delivery before `id` that was the same: by its bytes, else by its event. */
export function createRepeats(db: Db): (id: number, refs: readonly Ref[]) => Repeats | null {
  const sharing = prepare<[number, number], { id: number }>(
    db,
    `SELECT id FROM delivery_ref WHERE hash = ? AND id < ? ORDER BY id LIMIT ${candidates}`,
  )
  const sameBody = prepare<[number, number]>(
    db,
    `SELECT 1 FROM delivery AS one, delivery AS other WHERE one.id = ? AND other.id = ? AND one.sha256 = other.sha256`,
  )
  const sameEvent = prepare<[number, number]>(
    db,
    `SELECT 1 FROM delivery AS one, delivery AS other WHERE one.id = ? AND other.id = ?
       AND one.type IS other.type AND one.target IS other.target AND one.created_ms IS other.created_ms`,
  )
  const ways = [
    { by: 'body', slot: bodySlot, same: sameBody },
    { by: 'event', slot: eventSlot, same: sameEvent },
  ] as const

  return (id, refs) => {
    for (const { by, slot, same } of ways) {
      const ref = refs.find((each) => each.slot === slot)
      if (!ref) continue
      for (const found of sharing.all(ref.hash, id * refSlots)) {
        const other = Math.floor(found.id / refSlots)
        if (found.id % refSlots === slot && same.get(id, other)) return { id: other, by }
      }
    }
    return null
  }
}
