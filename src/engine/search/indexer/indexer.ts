import { type Db, insertInto, prepare } from '../../platform/sqlite.ts'
import { hexOf } from '../../deliveries/rows.ts'
import { bodySlot, eventSlot, refSlots, searchedBytes } from './limits.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { searchableOf, type Content, type Ref } from './searchable.ts'

type Repeats = NonNullable<DeliverySummary['duplicateOf']>

/** Deliveries with the same hash to compare: hashes are short, so they may collide. */
const maxCandidates = 8

/** The earliest delivery before `id` with the same body, or else with the same event. `search` has the refs, `db` the deliveries. */
function createRepeats(db: Db, search: Db): (id: number, refs: readonly Ref[]) => Repeats | null {
  const sharing = prepare<[number, number], { id: number }>(
    search,
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
  /**
   * One transaction with the progress, so that each delivery is indexed exactly once. Ends once `enough` returns true, or when all deliveries up to `lastId`
   * are indexed. Returns those that repeat others.
   */
  readonly step: (lastId: number, enough: () => boolean) => number[]
  /** Leaves the next delivery out. */
  readonly skip: () => void
  /** Both inclusive. */
  readonly remove: (lo: number, hi: number) => void
  readonly clear: () => void
  /** Rewrites a part of the text index with at least this percentage of deleted entries. Returns false if there is none. */
  readonly compact: (percent: number) => boolean
}

const compactionPages = 8

type Row = {
  id: number
  sha256: Uint8Array
  arrival: string
  target: string | null
  headers: string
  trailers: string
  body: Buffer | null
  size: number
}

/** `db`: the deliveries, which are only read. `search`: the file with the index. */
export function createIndexer(db: Db, search: Db): Indexer {
  const next = prepare<[number], Row>(
    db,
    `SELECT delivery.id, sha256, arrival, target, headers, trailers, substr(body, 1, ${searchedBytes}) AS body, length(body) AS size
     FROM delivery JOIN delivery_content USING (id)
     WHERE delivery.id > ? + 0 ORDER BY delivery.id LIMIT 1`,
  )
  const indexOne = createIndexOne(search)
  const insertRepeat = insertInto(search, 'delivery_repeat', ['id', 'first_id', 'criterion'])
  const saveProgress = prepare<[number]>(search, 'UPDATE search_progress SET indexed_id = ?')
  const repeatsOf = createRepeats(db, search)
  const deletions = [
    ['delivery_text', 'rowid', 1],
    ['delivery_ref', 'id', refSlots],
    ['delivery_repeat', 'id', 1],
  ] as const
  const remove = deletions.map(([table, id, slots]) => ({
    run: prepare<[number, number]>(search, `DELETE FROM ${table} WHERE ${id} BETWEEN ? AND ?`),
    slots,
  }))
  const configure = prepare<[string, number]>(
    search,
    'INSERT INTO delivery_text (delivery_text, rank) VALUES (?, CAST(? AS INTEGER))',
  )
  const changes = prepare<[], number>(search, 'SELECT total_changes()').pluck()
  let indexedId =
    prepare<[], { id: number }>(search, 'SELECT indexed_id AS id FROM search_progress').get()?.id ??
    0

  const index = (row: Row): boolean => {
    const refs = indexOne(row.id, {
      headers: row.headers,
      trailers: row.trailers,
      // SQLite returns NULL for a slice of an empty body.
      body: row.body ?? new Uint8Array(),
      size: row.size,
      sha256: hexOf(row.sha256),
      complete: row.arrival === 'complete',
      target: row.target,
    })
    const repeats = repeatsOf(row.id, refs)
    if (repeats) insertRepeat({ id: row.id, first_id: repeats.id, criterion: repeats.by })
    return repeats !== null
  }

  const step = search.transaction((lastId: number, enough: () => boolean) => {
    const repeating: number[] = []
    let upTo = indexedId
    do {
      const row = next.get(upTo)
      // The newest deliveries may have been deleted before they were indexed.
      upTo = row?.id ?? Math.max(upTo, lastId)
      if (!row) break
      if (index(row)) repeating.push(row.id)
    } while (!enough())
    saveProgress.run(upTo)
    return { upTo, repeating }
  })

  return {
    indexedId: () => indexedId,
    step: (lastId, enough) => {
      const { upTo, repeating } = step(lastId, enough)
      indexedId = upTo
      return repeating
    },
    skip: () => {
      saveProgress.run(indexedId + 1)
      indexedId += 1
    },
    remove: search.transaction((lo: number, hi: number) => {
      for (const { run, slots } of remove) run.run(lo * slots, hi * slots + slots - 1)
    }),
    clear: () => {
      search.transaction(() => {
        search.exec(`
          DELETE FROM delivery_ref;
          DELETE FROM delivery_repeat;
          INSERT INTO delivery_text (delivery_text) VALUES ('delete-all');
          UPDATE search_progress SET indexed_id = 0;
        `)
      })()
      indexedId = 0
    },
    // SQLite would do so by itself, but without a limit: `deletemerge` is 0 otherwise.
    compact: search.transaction((percent: number): boolean => {
      configure.run('deletemerge', percent)
      const before = changes.get() ?? 0
      configure.run('merge', compactionPages)
      // The statement itself counts as one change.
      const merged = (changes.get() ?? 0) - before >= 2
      configure.run('deletemerge', 0)
      return merged
    }),
  }
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
