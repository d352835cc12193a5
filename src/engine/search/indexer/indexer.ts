import { fullHeaders } from '../../deliveries/shared-heads.ts'
import { type Db, insertInto, prepare } from '../../platform/sqlite.ts'
import { hexOf } from '../../deliveries/rows.ts'
import type { Ingest } from '../../deliveries/ingest.ts'
import { bodySlot, eventSlot, refSlots, searchedBytes } from './limits.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { searchableOf, type Content, type Ref } from './searchable.ts'

type Repeats = NonNullable<DeliverySummary['duplicateOf']>

/** Deliveries with the same hash to compare: hashes are short, so they may collide. */
const maxCandidates = 8

/** The earliest delivery before `id` with the same body, or else with the same event. */
export function createRepeats(db: Db): (id: number, refs: readonly Ref[]) => Repeats | null {
  const sharing = prepare<[number, number], { id: number }>(
    db,
    `SELECT id FROM delivery_ref WHERE hash = ? + 0 AND id < ? + 0 ORDER BY id LIMIT ${maxCandidates}`,
  )
  const sameBody = prepare<[number, number]>(
    db,
    `SELECT 1 FROM delivery AS one, delivery AS other WHERE one.id = ? + 0 AND other.id = ? + 0 AND one.sha256 = other.sha256`,
  )
  const sameEvent = prepare<[number, number]>(
    db,
    `SELECT 1 FROM delivery AS one, delivery AS other WHERE one.id = ? + 0 AND other.id = ? + 0
       AND one.type IS other.type AND one.target IS other.target AND one.created_ms IS other.created_ms`,
  )
  const criteria = [
    { by: 'body', slot: bodySlot, same: sameBody },
    { by: 'event', slot: eventSlot, same: sameEvent },
  ] as const

  return (id, refs) => {
    for (const { by, slot, same } of criteria) {
      const ref = refs.find((candidate) => candidate.slot === slot)
      if (!ref) continue
      for (const found of sharing.all(ref.hash, id * refSlots)) {
        const other = Math.floor(found.id / refSlots)
        if (found.id % refSlots === slot && same.get(id, other)) return { id: other, by }
      }
    }
    return null
  }
}

export interface Indexer {
  readonly indexedId: () => number
  readonly isUpToDate: () => boolean
  /** Ends once `enough` returns true. Progress is saved in the same transaction, so that each delivery is indexed exactly once. Returns those that repeat. */
  readonly step: (enough: () => boolean) => number[]
  /** After the progress was changed elsewhere, such as by clearing the deliveries. */
  readonly reload: () => void
}

type Row = {
  id: number
  sha256: Uint8Array
  arrival: string
  target: string | null
  head: string | null
  headers: string
  trailers: string
  body: Buffer | null
  size: number
}

export function createIndexer(db: Db, ingest: Ingest): Indexer {
  const next = prepare<[number], Row>(
    db,
    `SELECT delivery.id, sha256, arrival, target, head, headers, trailers, substr(body, 1, ${searchedBytes}) AS body, length(body) AS size
     FROM delivery JOIN captured_content USING (id)
     WHERE delivery.id > ? + 0 ORDER BY delivery.id LIMIT 1`,
  )
  const indexOne = createIndexOne(db)
  const saveRepeats = prepare<[Repeats & { delivery: number }]>(
    db,
    'UPDATE delivery SET repeats_id = $id, repeats_by = $by WHERE id = $delivery',
  )
  const saveProgress = prepare<[number]>(db, 'UPDATE search_progress SET indexed_id = ?')
  const repeatsOf = createRepeats(db)
  let indexedId = readIndexedId(db)

  const index = (row: Row): boolean => {
    const refs = indexOne(row.id, {
      headers: fullHeaders(row.head, row.headers),
      trailers: row.trailers,
      // SQLite returns NULL for a slice of an empty body.
      body: row.body ?? new Uint8Array(),
      size: row.size,
      sha256: hexOf(row.sha256),
      complete: row.arrival === 'complete',
      target: row.target,
    })
    const repeats = repeatsOf(row.id, refs)
    if (repeats) saveRepeats.run({ ...repeats, delivery: row.id })
    return repeats !== null
  }

  const step = db.transaction((enough: () => boolean) => {
    const repeating: number[] = []
    let upTo = indexedId
    do {
      const row = next.get(upTo)
      // The newest deliveries may have been deleted before they were indexed.
      upTo = row?.id ?? Math.max(upTo, ingest.tally().lastId)
      if (!row) break
      if (index(row)) repeating.push(row.id)
    } while (!enough())
    saveProgress.run(upTo)
    return { upTo, repeating }
  })

  return {
    indexedId: () => indexedId,
    isUpToDate: () => indexedId >= ingest.tally().lastId,
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

export function createIndexOne(db: Db): (id: number, content: Content) => readonly Ref[] {
  const insertText = insertInto(db, 'delivery_text', ['rowid', 'headers', 'body'])
  const insertRef = insertInto(db, 'delivery_ref', ['id', 'hash'])
  return (id, content) => {
    const { headers, body, refs } = searchableOf(content)
    insertText({ rowid: id, headers, body })
    for (const { slot, hash } of refs) insertRef({ id: id * refSlots + slot, hash })
    return refs
  }
}
