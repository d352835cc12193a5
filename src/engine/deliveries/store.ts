import type { Delivery, DeliverySummary, StoreStats } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { secretNameOf, toHeaders, toSummary, viaOf, type DeliveryRow } from './rows.ts'

/** Summaries of these ids, in this order. */
export function readByIds(db: Db, ids: readonly number[]): DeliverySummary[] {
  const one = prepare<[number], DeliveryRow>(db, 'SELECT * FROM delivery WHERE id = ?')
  return ids.flatMap((id) => {
    const row = one.get(id)
    return row ? [toSummary(row)] : []
  })
}

/** Oldest first, after an id. */
export function readSince(db: Db, after: number, limit: number): DeliverySummary[] {
  return prepare<[number, number], DeliveryRow>(
    db,
    'SELECT * FROM delivery WHERE id > ? ORDER BY id LIMIT ?',
  )
    .all(after, limit)
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
  const row = prepare<[number], DeliveryRow>(db, 'SELECT * FROM delivery WHERE id = ?').get(id)
  const content = prepare<[number], ContentRow>(
    db,
    `SELECT http_version, remote_address, endpoint_name, brand, secret_name, reason, headers, trailers, length(body) AS kept,
       (SELECT note FROM delivery_note WHERE delivery_id = delivery_content.id) AS note
     FROM delivery_content WHERE id = ?`,
  ).get(id)
  if (!row || !content) return null
  return {
    ...toSummary(row),
    httpVersion: content.http_version,
    remoteAddress: content.remote_address,
    via: viaOf(row.via),
    headers: toHeaders(content.headers),
    trailers: toHeaders(content.trailers),
    bytesKept: content.kept,
    reason: content.reason,
    endpointName: content.endpoint_name,
    brand: content.brand,
    secretName: secretNameOf(row, content.secret_name),
    note: content.note ?? '',
  }
}

/** A slice of the body as kept, and the length of all of it. */
export function readBody(
  db: Db,
  id: number,
  offset: number,
  length: number,
): { bytes: Uint8Array; size: number } | null {
  const row = prepare<[number, number, number], { bytes: Buffer | null; size: number }>(
    db,
    'SELECT substr(body, ?, ?) AS bytes, length(body) AS size FROM delivery_content WHERE id = ?',
  ).get(offset + 1, length, id)
  // A slice of nothing is NULL to SQLite.
  return row ? { bytes: new Uint8Array(row.bytes ?? []), size: row.size } : null
}

export function readStats(db: Db): Omit<StoreStats, 'behind'> {
  const row = prepare<
    [],
    { deliveries: number; bytes: number; newestId: number; indexedId: number }
  >(
    db,
    'SELECT deliveries, bytes, last_id AS newestId, (SELECT indexed_id FROM search_progress) AS indexedId FROM progress',
  ).get()
  return row ?? { deliveries: 0, bytes: 0, newestId: 0, indexedId: 0 }
}

/** Deliveries in each of the last `minutes` minutes up to `nowMs`, oldest first. */
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
