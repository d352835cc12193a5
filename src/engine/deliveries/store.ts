import { hash } from 'node:crypto'
import type { Delivery, DeliverySummary, Header, StoreStats } from '#contract/models.ts'
import type { EndpointActivity } from '#contract/calls.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { readRelayOf } from './relay-store.ts'
import { configPathOf } from '../platform/store/config-file.ts'
import {
  damagedDelivery,
  hexOf,
  secretNameOf,
  selectRowsSql,
  selectUnindexedSql,
  toHeaders,
  toSummary,
  viaOf,
  type DeliveryRow,
} from './rows.ts'
import { AppError } from '../platform/errors.ts'

/** In this order. Missing ones are omitted. */
export function readByIds(db: Db, ids: readonly number[]): DeliverySummary[] {
  return readRows(db, ids, selectRowsSql)
}

/** Like `readByIds`, without what the search index knows: for the writer, which does not open it. */
export function readUnindexed(db: Db, ids: readonly number[]): DeliverySummary[] {
  return readRows(db, ids, selectUnindexedSql)
}

function readRows(db: Db, ids: readonly number[], sql: string): DeliverySummary[] {
  const select = prepare<[number], DeliveryRow>(db, `${sql} WHERE id = ?`)
  return ids.flatMap((id) => {
    const row = select.get(id)
    return row ? [toSummary(row)] : []
  })
}

/** Oldest first. */
export function readSince(db: Db, after: number, limit: number): DeliverySummary[] {
  return prepare<[{ after: number; limit: number }], DeliveryRow>(
    db,
    `${selectRowsSql} WHERE id > $after ORDER BY id LIMIT $limit`,
  )
    .all({ after, limit })
    .map(toSummary)
}

type ContentRow = {
  http_version: string
  remote_address: string
  endpoint_name: string | null
  brand: string
  secret_name: string | null
  reason: string | null
  headers: string
  trailers: string
  kept: number
  note: string | null
}

export function readDelivery(db: Db, id: number): Delivery | null {
  const row = prepare<[number], DeliveryRow>(db, `${selectRowsSql} WHERE id = ?`).get(id)
  const content = prepare<[number], ContentRow>(
    db,
    `SELECT http_version, remote_address, endpoint_name, brand, secret_name, reason, headers, trailers, length(body) AS kept,
       (SELECT note FROM delivery_note WHERE delivery_id = delivery_content.id) AS note
     FROM delivery_content WHERE id = ? + 0`,
  ).get(id)
  if (!row || !content) return null
  return {
    ...toSummary(row),
    httpVersion: content.http_version,
    remoteAddress: content.remote_address,
    via: viaOf(row.via),
    relay: row.via === 'relay' ? readRelayOf(db, id) : null,
    headers: toHeaders(content.headers),
    trailers: toHeaders(content.trailers),
    storedBytes: content.kept,
    reason: content.reason,
    endpointName: content.endpoint_name,
    brand: content.brand,
    secretName: secretNameOf(row, content.secret_name),
    note: content.note ?? '',
  }
}

/** A slice of the body, and the size of the whole body. Throws `store_failed` for a whole body that is no longer the stored one. */
export function readBody(
  db: Db,
  id: number,
  offset: number,
  length: number,
): { bytes: Uint8Array; size: number } | null {
  // In one statement, since the delivery may be deleted at any time.
  const row = prepare<
    [{ start: number; length: number; id: number }],
    { bytes: Buffer | null; size: number | null; digest: Buffer | null }
  >(
    db,
    `SELECT substr(body, $start, $length) AS bytes, iif(typeof(body) = 'blob', length(body), NULL) AS size,
       (SELECT sha256 FROM delivery WHERE delivery.id = $id) AS digest
     FROM delivery_content WHERE id = $id`,
  ).get({ start: offset + 1, length, id })
  if (!row) return null
  const { size, digest } = row
  // A changed byte can be that of its type.
  if (size === null) throw damagedDelivery(id)
  // SQLite returns NULL for an empty slice.
  const bytes = new Uint8Array(row.bytes ?? [])
  // SQLite does not notice a changed byte within a value. Event logs have no digests of redacted bodies.
  const isChecked = bytes.byteLength === size && configPathOf(db.name) !== null
  if (isChecked && digest?.equals(hash('sha256', bytes, 'buffer')) !== true) {
    throw damagedDelivery(id)
  }
  return { bytes, size }
}

export function readStats(db: Db): StoreStats {
  const row = prepare<
    [],
    { deliveries: number; bytes: number; newestId: number; indexedId: number }
  >(
    db,
    'SELECT deliveries, bytes, last_id AS newestId, (SELECT indexed_id FROM search_progress) AS indexedId FROM progress',
  ).get()
  return row ?? { deliveries: 0, bytes: 0, newestId: 0, indexedId: 0 }
}

/** Counts for the last `minutes` minutes up to `nowMs`, oldest first. */
export function readPerMinute(db: Db, nowMs: number, minutes: number): number[] {
  const last = Math.floor(nowMs / 60_000)
  const rows = prepare<[number], { minute: number; n: number }>(
    db,
    'SELECT received_us / 60000000 AS minute, count(*) AS n FROM delivery WHERE received_us >= ? GROUP BY minute',
  ).all((last - minutes + 1) * 60_000_000)
  const counts = Array.from({ length: minutes }, () => 0)
  for (const { minute, n } of rows) {
    const at = minute - (last - minutes + 1)
    if (at >= 0 && at < minutes) counts[at] = n
  }
  return counts
}

/** For each of these endpoints: its last delivery, and its count in the ten minutes up to `nowMs`. */
export function readActivity(
  db: Db,
  endpointIds: readonly number[],
  nowMs: number,
): EndpointActivity[] {
  const counts = prepare<[number], { endpointId: number; n: number }>(
    db,
    `SELECT endpoint_id AS endpointId, count(*) AS n FROM delivery INDEXED BY delivery_by_time
     WHERE received_us >= ? AND endpoint_id IS NOT NULL GROUP BY endpoint_id`,
  ).all((nowMs - 600_000) * 1000)
  const newest = prepare<[number], NonNullable<EndpointActivity['last']>>(
    db,
    `SELECT id, received_us / 1000.0 AS receivedAt, verdict, sent AS handler FROM delivery INDEXED BY delivery_by_endpoint
     WHERE endpoint_id = ? ORDER BY id DESC LIMIT 1`,
  )
  return endpointIds.map((endpointId) => ({
    endpointId,
    last: newest.get(endpointId) ?? null,
    tenMinutes: counts.find((count) => count.endpointId === endpointId)?.n ?? 0,
  }))
}

export interface Captured {
  readonly id: number
  readonly method: string
  readonly path: string
  /** In the original order and case, with duplicates. */
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  readonly body: Uint8Array
  /** False: only the start of the body was stored or received. */
  readonly whole: boolean
  /** Hex. Null: the store may not have the delivery yet. */
  readonly sha256: string | null
  readonly endpointId: number | null
  readonly brand: string
  readonly type: string | null
  readonly receivedUs: number
  readonly own: 'forward' | 'send' | null
}

interface CapturedRow {
  readonly method: string
  readonly path: string
  readonly arrival: string
  readonly sha256: Uint8Array
  readonly endpoint_id: number | null
  readonly type: string | null
  readonly received_us: number
  readonly own: string | null
}

interface CapturedContentRow {
  readonly brand: string
  readonly headers: string
  readonly trailers: string
  readonly body: Uint8Array | null
}

const empty = new Uint8Array()

/** Two lookups by key, because a join takes three times as long. */
export function createCapturedReader(db: Db): (id: number) => Captured | null {
  const select = prepare<[number], CapturedRow>(
    db,
    'SELECT method, path, arrival, sha256, endpoint_id, type, received_us, sent_by AS own FROM delivery WHERE id = ?',
  )
  const selectContent = prepare<[number], CapturedContentRow>(
    db,
    'SELECT brand, headers, trailers, body FROM delivery_content WHERE id = ? + 0',
  )
  return (id) => {
    const row = select.get(id)
    const content = row && selectContent.get(id)
    if (!content) return null
    return {
      id,
      method: row.method,
      path: row.path,
      headers: toHeaders(content.headers),
      trailers: toHeaders(content.trailers),
      body: content.body ?? empty,
      whole: row.arrival === 'complete',
      sha256: hexOf(row.sha256),
      endpointId: row.endpoint_id,
      brand: content.brand,
      type: row.type,
      receivedUs: row.received_us,
      own: row.own === 'forward' || row.own === 'send' ? row.own : null,
    }
  }
}

export function throwDeliveryNotFound(id: number): never {
  throw new AppError(
    'not_found',
    `Delivery ${id} does not exist. It may have been deleted manually or by the storage limits.`,
  )
}

export function throwAttemptNotFound(id: number): never {
  throw new AppError(
    'not_found',
    `Attempt ${id} does not exist. It may have been deleted with its delivery, or by the storage limits.`,
  )
}

export function throwJobNotFound(id: number): never {
  throw new AppError('not_found', `Job ${id} does not exist. It may have been removed.`)
}
