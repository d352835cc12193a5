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
  /** Hex, of the body. Null: the store may not have the delivery yet. */
  readonly sha256: string | null
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
  readonly arrival: string
  readonly sha256: string
  readonly endpoint_id: number | null
  readonly type: string | null
  readonly received_us: number
  readonly own: string | null
}

interface ContentRow {
  readonly brand: string
  readonly headers: string
  readonly trailers: string
  readonly body: Uint8Array | null
}

const empty = new Uint8Array()

/**
 * Reads deliveries with their bodies; null: gone. The statements are made once. Two of them, each by its key: joined in one they take three
 * times as long, and whoever sends many waits for each.
 */
export function createCapturedReader(db: Db): (id: number) => Captured | null {
  const select = prepare<[number], Row>(
    db,
    'SELECT id, method, path, arrival, sha256, endpoint_id, type, received_us, own FROM delivery WHERE id = ?',
  )
  const selectContent = prepare<[number], ContentRow>(
    db,
    'SELECT brand, headers, trailers, body FROM delivery_content WHERE id = ?',
  )
  return (id) => {
    const row = select.get(id)
    const content = row && selectContent.get(id)
    if (!content) return null
    return {
      id: row.id,
      method: row.method,
      path: row.path,
      headers: toHeaders(content.headers),
      trailers: toHeaders(content.trailers),
      body: content.body ?? empty,
      whole: row.arrival === 'complete',
      sha256: row.sha256,
      endpointId: row.endpoint_id,
      brand: content.brand,
      type: row.type,
      receivedUs: row.received_us,
      own: row.own === 'forward' || row.own === 'send' ? row.own : null,
    }
  }
}
