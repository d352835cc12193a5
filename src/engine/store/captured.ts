import type { Header } from '#contract/models.ts'
import { prepare, type Db } from './driver.ts'
import { toHeaders } from './rows.ts'

/** A captured delivery as it is sent again: its bytes, and whose it is. */
export interface Captured {
  readonly id: number
  readonly method: string
  /** The request target as it came. */
  readonly path: string
  /** Order, case and duplicates as they came. */
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  /** As kept. */
  readonly body: Uint8Array
  /** False: only its beginning was kept, or came. */
  readonly whole: boolean
  readonly endpointId: number | null
  readonly brand: string
  readonly type: string | null
  /** Microseconds since the epoch. */
  readonly receivedUs: number
  readonly own: 'forward' | 'send' | null
}

interface Row {
  readonly id: number
  readonly method: string
  readonly path: string
  readonly headers: string
  readonly trailers: string
  readonly body: Uint8Array | null
  readonly arrival: string
  readonly endpoint_id: number | null
  readonly brand: string
  readonly type: string | null
  readonly received_us: number
  readonly own: string | null
}

const empty = new Uint8Array()

/** Reads deliveries with their bodies; null: gone. The statement is made once. */
export function createCapturedReader(db: Db): (id: number) => Captured | null {
  const select = prepare<[number], Row>(
    db,
    `SELECT delivery.id, method, path, headers, trailers, body, arrival, endpoint_id, brand, type, received_us, own
     FROM delivery JOIN delivery_content USING (id) WHERE delivery.id = ?`,
  )
  return (id) => {
    const row = select.get(id)
    if (!row) return null
    return {
      id: row.id,
      method: row.method,
      path: row.path,
      headers: toHeaders(row.headers),
      trailers: toHeaders(row.trailers),
      body: row.body ?? empty,
      whole: row.arrival === 'complete',
      endpointId: row.endpoint_id,
      brand: row.brand,
      type: row.type,
      receivedUs: row.received_us,
      own: row.own === 'forward' || row.own === 'send' ? row.own : null,
    }
  }
}
