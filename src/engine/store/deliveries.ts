import {
  verdicts,
  type Delivery,
  type DeliverySummary,
  type StoreStats,
  type Verdict,
} from '#contract/models.ts'
import { prepare, type Db } from './driver.ts'
import { toHeaders, toSummary, type DeliveryRow } from './rows.ts'

/** Stands in until `search/` compiles the filter language. */
export interface DeliveryFilter {
  readonly types: readonly (string | null)[]
  readonly verdicts: readonly Verdict[]
}

interface Sql {
  readonly text: string
  readonly values: readonly (string | number)[]
}

/**
 * Ids that match, as a compound of index scans: each arm is one value of (type, verdict) or of verdict, which an index gives in
 * order of id, and SQLite merges the arms. No arm sorts, whatever the number of rows.
 */
export function matchingIds(filter: DeliveryFilter, upTo: number): Sql {
  const chosen = filter.verdicts.length > 0 ? filter.verdicts : [...verdicts]
  if (filter.types.length > 0) {
    const arms = filter.types.flatMap((type) =>
      chosen.map((verdict) =>
        type === null
          ? {
              text: 'SELECT id FROM delivery WHERE type IS NULL AND verdict = ? AND id <= ?',
              values: [verdict, upTo],
            }
          : {
              text: 'SELECT id FROM delivery WHERE type = ? AND verdict = ? AND id <= ?',
              values: [type, verdict, upTo],
            },
      ),
    )
    return union(arms)
  }
  if (filter.verdicts.length > 0) {
    return union(
      filter.verdicts.map((verdict) => ({
        text: 'SELECT id FROM delivery WHERE verdict = ? AND id <= ?',
        values: [verdict, upTo],
      })),
    )
  }
  return { text: 'SELECT id FROM delivery WHERE id <= ?', values: [upTo] }
}

function union(arms: readonly Sql[]): Sql {
  return {
    text: arms.map(({ text }) => text).join(' UNION ALL '),
    values: arms.flatMap(({ values }) => values),
  }
}

export interface PageInput {
  readonly filter: DeliveryFilter
  readonly upTo: number
  readonly offset: number
  readonly limit: number
}

/** A page of the list, newest first, and how many match. */
export function readPage(
  db: Db,
  { filter, upTo, offset, limit }: PageInput,
): { rows: DeliverySummary[]; total: number } {
  const ids = matchingIds(filter, upTo)
  const page = prepare<(string | number)[], { id: number }>(
    db,
    `${ids.text} ORDER BY id DESC LIMIT ? OFFSET ?`,
  ).all(...ids.values, limit, offset)
  return {
    rows: readByIds(
      db,
      page.map(({ id }) => id),
    ),
    total: count(db, filter, ids, upTo),
  }
}

function count(db: Db, filter: DeliveryFilter, ids: Sql, upTo: number): number {
  if (filter.types.length === 0 && filter.verdicts.length === 0) {
    // Counting a million rows takes long; the store knows how many there are, and few are newer than the list.
    const newer = prepare<[number], { n: number }>(
      db,
      'SELECT count(*) AS n FROM delivery WHERE id > ?',
    ).get(upTo)
    return readStats(db).deliveries - (newer?.n ?? 0)
  }
  const row = prepare<(string | number)[], { n: number }>(
    db,
    `SELECT count(*) AS n FROM (${ids.text})`,
  ).get(...ids.values)
  return row?.n ?? 0
}

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
    headers: toHeaders(content.headers),
    trailers: toHeaders(content.trailers),
    bytesKept: content.kept,
    reason: content.reason,
    endpointName: content.endpoint_name,
    brand: content.brand,
    secretName: content.secret_name,
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
