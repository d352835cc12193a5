import { prepare, type Db } from '../driver.ts'
import type { Ingest } from '../ingest.ts'
import { createIndexOne } from './index-one.ts'
import { searchedBytes } from './limits.ts'
import { createRepeats } from './repeats.ts'

export interface Indexer {
  /** Up to this id deliveries are in the index. */
  readonly indexedId: () => number
  /** True when it has come as far as the store. */
  readonly level: () => boolean
  /**
   * Goes on with one delivery after the other until there is none or it is `enough`, in one transaction with how far it came: after a
   * crash each is in the index exactly once. Returns the ids of those that were found to repeat another.
   */
  readonly step: (enough: () => boolean) => number[]
  /** How far the index has come was changed by others (clearing). */
  readonly reload: () => void
}

type Row = {
  id: number
  sha256: string
  arrival: string
  target: string | null
  headers: string
  trailers: string
  body: Buffer | null
  size: number
}

/** Fills the search index behind what is stored: text, refs, and which delivery repeats which. */
export function createIndexer(db: Db, ingest: Ingest): Indexer {
  const next = prepare<[number], Row>(
    db,
    `SELECT delivery.id, sha256, arrival, target, headers, trailers, substr(body, 1, ${searchedBytes}) AS body, length(body) AS size
     FROM delivery JOIN delivery_content USING (id)
     WHERE delivery.id > ? ORDER BY delivery.id LIMIT 1`,
  )
  const indexOne = createIndexOne(db)
  const saveRepeats = prepare<[number, string, number]>(
    db,
    'UPDATE delivery SET repeats_id = ?, repeats_by = ? WHERE id = ?',
  )
  const saveProgress = prepare<[number]>(db, 'UPDATE search_progress SET indexed_id = ?')
  const repeatsOf = createRepeats(db)
  let indexedId = readIndexedId(db)

  /** True when it repeats another. */
  const index = (row: Row): boolean => {
    const refs = indexOne(row.id, {
      headers: row.headers,
      trailers: row.trailers,
      // A slice of nothing is NULL to SQLite.
      body: row.body ?? new Uint8Array(),
      size: row.size,
      sha256: row.sha256,
      whole: row.arrival === 'complete',
      target: row.target,
    })
    const repeats = repeatsOf(row.id, refs)
    if (repeats) saveRepeats.run(repeats.id, repeats.by, row.id)
    return repeats !== null
  }

  const step = db.transaction((enough: () => boolean) => {
    const repeating: number[] = []
    let upTo = indexedId
    do {
      const row = next.get(upTo)
      // The newest may have been deleted before the index came to them.
      upTo = row?.id ?? Math.max(upTo, ingest.tally().lastId)
      if (!row) break
      if (index(row)) repeating.push(row.id)
    } while (!enough())
    saveProgress.run(upTo)
    return { upTo, repeating }
  })

  return {
    indexedId: () => indexedId,
    level: () => indexedId >= ingest.tally().lastId,
    step: (enough) => {
      const { upTo, repeating } = step(enough)
      indexedId = upTo
      return repeating
    },
    reload: () => {
      indexedId = readIndexedId(db)
    },
  }
}

function readIndexedId(db: Db): number {
  const row = prepare<[], { id: number }>(db, 'SELECT indexed_id AS id FROM search_progress').get()
  return row?.id ?? 0
}
