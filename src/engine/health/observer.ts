import { idsOf } from '#catalogue/ids.ts'
import { parseBody } from '../capture/parse-body.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import { firstIdSlot, refSlots, searchedBytes } from '../search/indexer/limits.ts'
import { refHash } from '../search/indexer/searchable.ts'
import { isDamage } from '../store/search-file.ts'
import { type Observed, readObservedId, readTypes, writtenTypes } from './observed.ts'
import { payloadBytes, PayloadFields } from './payload-fields.ts'

/** "At most one event per 5 minutes per customer per target." */
const throttleMs = 5 * 60_000
/** Earlier deliveries of the same target, newest first. */
const maxEarlier = 100

interface Row {
  readonly id: number
  readonly receivedUs: number
  readonly type: string | null
  readonly target: string | null
  readonly createdMs: number | null
  readonly guestId: string | null
  readonly isCounted: number
  readonly headers: string
  readonly body: Uint8Array | null
}

interface Scan extends Pick<Row, 'id' | 'target' | 'createdMs' | 'guestId'> {}

/**
 * Finds what the writer cannot know when a delivery arrives: behind the search index, with its refs. The writer stores the result with the progress, in
 * order; if it rejects one, `reload` continues from what it has stored.
 */
export class Observer {
  readonly #db: Db
  #queries: ReturnType<typeof createQueries>
  #fields = new PayloadFields()
  #duplicates: number[] = []
  #throttled: number[] = []
  /** Of the last result. */
  #takenId = 0
  #observedId = 0

  /** `search`: the file of the index. Call `reload` before anything else. */
  constructor(db: Db, search: Db) {
    this.#db = db
    this.#queries = createQueries(db, search)
  }

  get observedId(): number {
    return this.#observedId
  }

  get hasResult(): boolean {
    return this.#observedId !== this.#takenId
  }

  /** After the index was created again. */
  useIndex(search: Db): void {
    this.#queries = createQueries(this.#db, search)
  }

  reload(): void {
    this.#fields = new PayloadFields(readTypes(this.#db))
    this.#takenId = readObservedId(this.#db)
    this.#observedId = this.#takenId
    this.#duplicates = []
    this.#throttled = []
  }

  /** Ends once `enough` returns true, or at `lastId`, up to which the index must be complete. */
  step(lastId: number, enough: () => boolean): void {
    do {
      const row = this.#next(lastId)
      if (!row) break
      this.#observe(row)
      this.#observedId = row.id
    } while (!enough())
  }

  /** What was found since the last call. */
  take(): Observed {
    const { types, notices } = this.#fields.take()
    const observed = {
      from: this.#takenId,
      upTo: this.#observedId,
      duplicates: this.#duplicates,
      throttled: this.#throttled,
      types: writtenTypes(types),
      notices,
    }
    this.#takenId = this.#observedId
    this.#duplicates = []
    this.#throttled = []
    return observed
  }

  #next(lastId: number): Row | null {
    try {
      const row = this.#queries.next.get(this.#observedId, lastId)
      // The newest may have been deleted.
      if (!row) this.#observedId = Math.max(this.#observedId, lastId)
      return row ?? null
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#observedId += 1
      return null
    }
  }

  #observe(row: Row): void {
    if (row.isCounted === 0) return
    const isDuplicate = this.#queries.repeat.get(row.id) !== undefined
    if (isDuplicate) this.#duplicates.push(row.id)
    else if (row.type === 'QR_SCANNED' && this.#isThrottled(row)) this.#throttled.push(row.id)
    this.#fields.add({ ...row, masked: false })
  }

  #isThrottled({ id, target, createdMs, guestId, ...content }: Row): boolean {
    if (target === null || createdMs === null) return false
    const customer = guestId ?? customerIn(content)
    if (customer === null) return false
    const { refs, scan, content: contentOf } = this.#queries
    return refs.all(refHash('id', target), id * refSlots).some((ref) => {
      if (ref.id % refSlots < firstIdSlot) return false
      const earlier = scan.get(Math.floor(ref.id / refSlots))
      if (!earlier || earlier.target !== target || earlier.createdMs === null) return false
      if (Math.abs(createdMs - earlier.createdMs) >= throttleMs) return false
      const stored = contentOf.get(earlier.id)
      return (earlier.guestId ?? (stored ? customerIn(stored) : null)) === customer
    })
  }
}

function createQueries(db: Db, search: Db) {
  return {
    next: prepare<[number, number], Row>(
      db,
      `SELECT delivery.id, received_us AS receivedUs, type, target, created_ms AS createdMs, guest_id AS guestId, headers,
         (arrival = 'complete' AND sent_by IS NULL) AS isCounted, substr(body, 1, ${searchedBytes + 1}) AS body
       FROM delivery JOIN delivery_content USING (id)
       WHERE delivery.id > ? + 0 AND delivery.id <= ? + 0 ORDER BY delivery.id LIMIT 1`,
    ),
    content: prepare<[number], Pick<Row, 'headers' | 'body'>>(
      db,
      `SELECT headers, substr(body, 1, ${searchedBytes + 1}) AS body FROM delivery_content WHERE id = ? + 0`,
    ),
    scan: prepare<[number], Scan>(
      db,
      `SELECT id, target, created_ms AS createdMs, guest_id AS guestId FROM delivery
       WHERE id = ? + 0 AND type = 'QR_SCANNED' AND sent_by IS NULL`,
    ),
    repeat: prepare<[number]>(search, 'SELECT 1 FROM delivery_repeat WHERE id = ? + 0'),
    refs: prepare<[number, number], { id: number }>(
      search,
      `SELECT id FROM delivery_ref WHERE hash = ? + 0 AND id < ? + 0 ORDER BY id DESC LIMIT ${maxEarlier}`,
    ),
  }
}

/** The documentation names no field for the customer of a scan. */
function customerIn(content: Pick<Row, 'headers' | 'body'>): string | null {
  const body = payloadBytes(content)
  const parsed = body && parseBody(body)
  if (parsed?.kind !== 'object') return null
  return (
    idsOf(parsed.payload).find(({ field }) => /(?:customer|guest)(?:Id|Uuid)$/i.test(field))?.id ??
    null
  )
}
