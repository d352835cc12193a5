import type { Header } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
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

type Row = readonly [
  method: string,
  path: string,
  arrival: string,
  sha256: string,
  endpointId: number | null,
  type: string | null,
  receivedUs: number,
  own: string | null,
]

type ContentRow = readonly [
  brand: string,
  headers: string,
  trailers: string,
  body: Uint8Array | null,
]

const empty = new Uint8Array()

/**
 * Reads deliveries with their bodies; null: gone. The statements are made once. Two of them, each by its key: joined in one they take three
 * times as long, and whoever sends many waits for each. As lists, which are made faster than objects.
 */
export function createCapturedReader(db: Db): (id: number) => Captured | null {
  const select = prepare<[number], Row>(
    db,
    'SELECT method, path, arrival, sha256, endpoint_id, type, received_us, own FROM delivery WHERE id = ?',
  ).raw()
  const selectContent = prepare<[number], ContentRow>(
    db,
    'SELECT brand, headers, trailers, body FROM delivery_content WHERE id = ?',
  ).raw()
  return (id) => {
    const row = select.get(id)
    const content = row && selectContent.get(id)
    if (!content) return null
    const [method, path, arrival, sha256, endpointId, type, receivedUs, own] = row
    const [brand, headers, trailers, body] = content
    return {
      id,
      method,
      path,
      headers: toHeaders(headers),
      trailers: toHeaders(trailers),
      body: body ?? empty,
      whole: arrival === 'complete',
      sha256,
      endpointId,
      brand,
      type,
      receivedUs,
      own: own === 'forward' || own === 'send' ? own : null,
    }
  }
}
