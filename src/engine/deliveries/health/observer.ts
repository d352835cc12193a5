import { type Db, prepare } from '../../platform/sqlite.ts'
import { searchedBytes } from '../searchable.ts'
import { isDamage } from '../../platform/store/search-file.ts'
import { isTrusted } from './counts.ts'
import { type Observed, readObservedId, readTypes, writtenTypes } from './observed.ts'
import { PayloadFields } from './payload-fields.ts'

interface Row {
  readonly id: number
  readonly receivedUs: number
  readonly type: string | null
  readonly isObserved: number
  readonly endpointId: number | null
  readonly verdict: string
  readonly headers: string
  readonly body: Uint8Array | null
}

/** Observes the fields of payloads behind the writer, which stores the result with the progress, in order. If it rejects one, `reload` continues from what it has stored. */
export class Observer {
  readonly #db: Db
  readonly #next
  #fields = new PayloadFields()
  #takenId = 0
  #observedId = 0

  /** Call `reload` before anything else. */
  constructor(db: Db) {
    this.#db = db
    this.#next = prepare<[number, number], Row>(
      db,
      `SELECT delivery.id, received_us AS receivedUs, type, headers,
         (arrival = 'complete' AND sent_by IS NULL) AS isObserved, endpoint_id AS endpointId, verdict, substr(body, 1, ${searchedBytes + 1}) AS body
       FROM delivery JOIN delivery_content USING (id)
       WHERE delivery.id > ? + 0 AND delivery.id <= ? + 0 ORDER BY delivery.id LIMIT 1`,
    )
  }

  get observedId(): number {
    return this.#observedId
  }

  get hasResult(): boolean {
    return this.#observedId !== this.#takenId
  }

  reload(): void {
    this.#fields = new PayloadFields(readTypes(this.#db))
    this.#takenId = readObservedId(this.#db)
    this.#observedId = this.#takenId
  }

  /** Ends once `enough` returns true, or at `lastId`. */
  step(lastId: number, enough: () => boolean): void {
    do {
      const row = this.#read(lastId)
      if (!row) break
      if (row.isObserved === 1 && isTrusted(row)) this.#fields.add(row)
      this.#observedId = row.id
    } while (!enough())
  }

  /** What was found since the last call. */
  take(): Observed {
    const { types, notices } = this.#fields.take()
    const from = this.#takenId
    this.#takenId = this.#observedId
    return { from, upTo: this.#observedId, types: writtenTypes(types), notices }
  }

  #read(lastId: number): Row | null {
    try {
      const row = this.#next.get(this.#observedId, lastId)
      // The newest may have been deleted.
      if (!row) this.#observedId = Math.max(this.#observedId, lastId)
      return row ?? null
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#observedId += 1
      return null
    }
  }
}
