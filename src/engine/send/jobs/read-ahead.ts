import type { Captured } from '../../store/captured.ts'
import type { Db } from '../../store/driver.ts'
import type { Item } from './claims.ts'

/** So many deliveries are read together, and so many bytes of bodies at most: more than that is not kept. */
const most = 32
const mostBytes = 1024 * 1024

/**
 * Reads deliveries a few at a time. One transaction for each would have SQLite lock, look whether anything was written since, and then read
 * its pages anew: that took longer than all else that is done for a delivery.
 */
export class ReadAhead {
  readonly #read: (ids: readonly number[]) => void
  readonly #kept = new Map<number, Captured | null>()

  constructor(db: Db, captured: (id: number) => Captured | null) {
    this.#read = db.transaction((ids: readonly number[]) => {
      let bytes = 0
      for (const id of ids) {
        const one = captured(id)
        this.#kept.set(id, one)
        bytes += one?.body.byteLength ?? 0
        if (bytes > mostBytes) return
      }
    })
  }

  /** One, and with it some of those that come next; null: it is gone. */
  take({ deliveryId: id }: Item, next: readonly Item[]): Captured | null {
    if (!this.#kept.has(id)) {
      this.#kept.clear()
      this.#read([id, ...next.slice(0, most - 1).map(({ deliveryId }) => deliveryId)])
    }
    const one = this.#kept.get(id) ?? null
    this.#kept.delete(id)
    return one
  }
}
