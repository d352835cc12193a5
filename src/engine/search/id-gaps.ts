import { prepare, type Db } from '../platform/sqlite.ts'
import { blockOf, blockSize, firstOf, lastOf } from './scan.ts'

/** Which IDs are stored, and where deleted deliveries left gaps. */
export interface IdGaps {
  readonly lastId: number
  /** Deliveries up to this ID are in the search index. */
  readonly indexedId: number
  readonly deliveries: number
  /** IDs of a block, up to the newest, whose delivery was deleted. */
  readonly missing: (block: number) => number
  readonly firstId: number
}

/**
 * IDs are sequential, so `last_id - deliveries` is the number of deleted deliveries. They are deleted from the oldest on, except pinned ones, so counting
 * from there until that number is reached finds all gaps. Call the result in the transaction of the queries that use it.
 */
export function createIdGapsReader(db: Db): () => IdGaps {
  const tally = prepare<[], { deliveries: number; lastId: number; indexedId: number }>(
    db,
    'SELECT deliveries, last_id AS lastId, (SELECT indexed_id FROM search_progress) AS indexedId FROM progress',
  )
  const nextId = prepare<[number], { id: number }>(
    db,
    'SELECT id FROM delivery WHERE id >= ? ORDER BY id LIMIT 1',
  )
  const count = prepare<[{ lo: number; hi: number }], { n: number }>(
    db,
    `SELECT count(*) AS n FROM delivery INDEXED BY delivery_by_verdict
     WHERE verdict IN ('valid', 'invalid', 'missing', 'unsigned', 'unchecked') AND id BETWEEN $lo AND $hi`,
  )
  let deleted = 0
  let firstId = 1
  /** By block, starting with that of `firstId`. */
  let gaps = new Map<number, number>()

  const recount = (lastId: number): void => {
    gaps = new Map()
    firstId = nextId.get(1)?.id ?? lastId + 1
    let left = deleted - (firstId - 1)
    let at = firstId
    while (left > 0 && at <= lastId) {
      const block = blockOf(at)
      const from = Math.max(firstOf(block), firstId)
      const to = Math.min(lastOf(block), lastId)
      const missing = to - from + 1 - (count.get({ lo: from, hi: to })?.n ?? 0)
      if (missing > 0) gaps.set(block, missing)
      left -= missing
      at = nextId.get(to + 1)?.id ?? lastId + 1
      const end = at > lastId ? at : firstOf(blockOf(at))
      for (let empty = firstOf(block + 1); left > 0 && empty < end; empty += blockSize) {
        const size = Math.min(empty + blockSize, end) - empty
        gaps.set(blockOf(empty), size)
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
    if (lastId - deliveries !== deleted) {
      deleted = lastId - deliveries
      recount(lastId)
    }
    const first = firstId
    const currentGaps = gaps
    return {
      deliveries,
      lastId,
      indexedId,
      firstId: first,
      // ID 0 is never assigned, so it counts as missing.
      missing: (block) =>
        (currentGaps.get(block) ?? 0) +
        Math.max(0, Math.min(first, firstOf(block) + blockSize) - firstOf(block)),
    }
  }
}
