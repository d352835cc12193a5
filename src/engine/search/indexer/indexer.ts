import { type Db, insertInto, prepare } from '../../platform/sqlite.ts'
import { hexOf } from '../../deliveries/rows.ts'
import {
  bodySlot,
  eventSlot,
  refSlots,
  rowidBetween,
  searchedBytes,
  searchableOf,
  type Content,
  type Ref,
} from '../../deliveries/searchable.ts'
import type { Ranges } from '../../deliveries/retention.ts'
import type { DeliverySummary } from '#contract/models.ts'

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

export class Indexer {
  readonly #search: Db
  readonly #next: ReturnType<typeof prepare<[number], Row>>
  readonly #indexOne: ReturnType<typeof createIndexOne>
  readonly #repeatsOf: ReturnType<typeof createRepeats>
  readonly #insertRepeat: ReturnType<typeof insertInto>
  readonly #saveProgress: ReturnType<typeof prepare<[number]>>
  #indexedId: number

  /** `db`: the deliveries, which are only read. `search`: the file with the index. */
  constructor(db: Db, search: Db) {
    this.#search = search
    this.#next = prepare<[number], Row>(
      db,
      `SELECT delivery.id, sha256, arrival, target, headers, trailers, substr(body, 1, ${searchedBytes}) AS body, length(body) AS size
       FROM delivery JOIN delivery_content USING (id)
       WHERE delivery.id > ? + 0 ORDER BY delivery.id LIMIT 1`,
    )
    this.#indexOne = createIndexOne(search)
    this.#repeatsOf = createRepeats(db, search)
    this.#insertRepeat = insertInto(search, 'delivery_repeat', ['id', 'first_id', 'criterion'])
    this.#saveProgress = prepare(search, 'UPDATE search_progress SET indexed_id = ?')
    const progress = prepare<[], number>(search, 'SELECT indexed_id FROM search_progress').pluck()
    this.#indexedId = progress.get() ?? 0
  }

  get indexedId(): number {
    return this.#indexedId
  }

  /**
   * One transaction with the progress, so that each delivery is indexed exactly once. Ends once `enough` returns true, or when all deliveries up to `lastId`
   * are indexed. Returns those that repeat others.
   */
  step(lastId: number, enough: () => boolean): number[] {
    const repeating: number[] = []
    let upTo = this.#indexedId
    this.#search.transaction(() => {
      do {
        const row = this.#next.get(upTo)
        // The newest deliveries may have been deleted before they were indexed.
        upTo = row?.id ?? Math.max(upTo, lastId)
        if (!row) break
        if (this.#index(row)) repeating.push(row.id)
      } while (!enough())
      this.#saveProgress.run(upTo)
    })()
    this.#indexedId = upTo
    return repeating
  }

  #index(row: Row): boolean {
    const refs = this.#indexOne(row.id, {
      headers: row.headers,
      trailers: row.trailers,
      // SQLite returns NULL for a slice of an empty body.
      body: row.body ?? new Uint8Array(),
      size: row.size,
      sha256: hexOf(row.sha256),
      complete: row.arrival === 'complete',
      target: row.target,
    })
    const repeats = this.#repeatsOf(row.id, refs)
    if (repeats) this.#insertRepeat({ id: row.id, first_id: repeats.id, criterion: repeats.by })
    return repeats !== null
  }

  skip(): void {
    this.#indexedId += 1
    this.#saveProgress.run(this.#indexedId)
  }

  /** In one transaction. */
  remove(ranges: Ranges): void {
    const search = this.#search
    const texts = prepare<[number, number]>(
      search,
      `DELETE FROM delivery_text WHERE ${rowidBetween('?', '?')}`,
    )
    const refs = prepare<[number, number]>(
      search,
      'DELETE FROM delivery_ref WHERE id BETWEEN ? AND ?',
    )
    const repeats = prepare<[number, number]>(
      search,
      'DELETE FROM delivery_repeat WHERE id BETWEEN ? AND ?',
    )
    search.transaction(() => {
      for (const [lo, hi] of ranges) {
        texts.run(lo, hi)
        refs.run(lo * refSlots, hi * refSlots + refSlots - 1)
        repeats.run(lo, hi)
      }
    })()
  }

  clear(): void {
    this.#search.transaction(() => {
      this.#search.exec(`
        DELETE FROM delivery_ref;
        DELETE FROM delivery_repeat;
        INSERT INTO delivery_text (delivery_text) VALUES ('delete-all');
        UPDATE search_progress SET indexed_id = 0;
      `)
    })()
    this.#indexedId = 0
  }

  /** Rewrites a part of the text index with at least this percentage of deleted entries. Returns false if there is none. */
  compact(percent: number): boolean {
    const search = this.#search
    const configure = prepare<[string, number]>(
      search,
      'INSERT INTO delivery_text (delivery_text, rank) VALUES (?, CAST(? AS INTEGER))',
    )
    const changes = prepare<[], number>(search, 'SELECT total_changes()').pluck()
    return search.transaction(() => {
      // SQLite would do so by itself, but without a limit: `deletemerge` is 0 otherwise.
      configure.run('deletemerge', percent)
      const before = changes.get() ?? 0
      configure.run('merge', compactionPages)
      // The statement itself counts as one change.
      const merged = (changes.get() ?? 0) - before >= 2
      configure.run('deletemerge', 0)
      return merged
    })()
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
