import { prepare, type Db } from '../platform/sqlite.ts'
import { blockOf, blockSize, firstOf, lastOf } from './scan.ts'

export interface Census {
  /** The newest id; 0: none. */
  readonly lastId: number
  /** Up to here deliveries are in the search index. */
  readonly indexedId: number
  readonly deliveries: number
  /** How many ids of a block, up to the newest, have no delivery any more. */
  readonly missing: (block: number) => number
  /** No delivery has a lower id. */
  readonly firstId: number
}

/**
 * Counts what is gone, for each block of ids. Ids are given one after the other, so `last_id - deliveries` tells how many are gone in
 * all, and changes with each deletion, in the same transaction. They go from the old end, pinned ones excepted: counting from there until
 * all that are gone were met finds every hole, and above it all ids have their delivery. Ask within one transaction with what is read by it.
 */
export function createCensus(db: Db): () => Census {
  const tally = prepare<[], { deliveries: number; lastId: number; indexedId: number }>(
    db,
    'SELECT deliveries, last_id AS lastId, (SELECT indexed_id FROM search_progress) AS indexedId FROM progress',
  )
  const nextId = prepare<[number], { id: number }>(
    db,
    'SELECT id FROM delivery WHERE id >= ? ORDER BY id LIMIT 1',
  )
  const count = prepare<[number, number], { n: number }>(
    db,
    `SELECT count(*) AS n FROM delivery INDEXED BY delivery_by_verdict
     WHERE verdict IN ('valid', 'invalid', 'missing', 'unsigned', 'unchecked') AND id BETWEEN ? AND ?`,
  )
  let gone = 0
  let firstId = 1
  /** Holes of blocks from the one of `firstId` on. */
  let holes = new Map<number, number>()

  const recount = (lastId: number): void => {
    holes = new Map()
    firstId = nextId.get(1)?.id ?? lastId + 1
    let left = gone - (firstId - 1)
    let at = firstId
    while (left > 0 && at <= lastId) {
      const block = blockOf(at)
      const from = Math.max(firstOf(block), firstId)
      const to = Math.min(lastOf(block), lastId)
      const missing = to - from + 1 - (count.get(from, to)?.n ?? 0)
      if (missing > 0) holes.set(block, missing)
      left -= missing
      at = nextId.get(to + 1)?.id ?? lastId + 1
      const end = at > lastId ? at : firstOf(blockOf(at))
      for (let empty = firstOf(block + 1); left > 0 && empty < end; empty += blockSize) {
        const size = Math.min(empty + blockSize, end) - empty
        holes.set(blockOf(empty), size)
        left -= size
      }
    }
  }

  return () => {
    const { deliveries, lastId, indexedId } = tally.get() ?? {
      deliveries: 0,
      lastId: 0,
      indexedId: 0,
    }
    if (lastId - deliveries !== gone) {
      gone = lastId - deliveries
      recount(lastId)
    }
    const first = firstId
    const inner = holes
    return {
      deliveries,
      lastId,
      indexedId,
      firstId: first,
      // Id 0 is never given.
      missing: (block) =>
        (inner.get(block) ?? 0) +
        Math.max(0, Math.min(first, firstOf(block) + blockSize) - firstOf(block)),
    }
  }
}
