import type { ApiExchange, ApiRequest, ApiSummary, SavedRequest } from '#contract/api.ts'
import {
  insertInto,
  insertRow,
  prepare,
  updateRow,
  type Db,
  type NamedValues,
} from '../../platform/sqlite.ts'
import { AppError } from '../../platform/errors.ts'

type ExchangeRecord = Omit<ApiExchange, keyof ApiSummary>
interface Own {
  readonly endedAt: number
}

/** With markers for secrets, and the encrypted values of those that are stored nowhere else. */
export interface ExchangeFields extends Omit<ApiSummary, 'id'> {
  readonly record: ExchangeRecord
  readonly own: Own
  readonly body: Uint8Array
  readonly sealed: readonly { readonly name: string; readonly value: Uint8Array }[]
}

export interface HistoryLimits {
  readonly exchanges: number
  readonly bytes: number
}

export const historyLimits: HistoryLimits = { exchanges: 500, bytes: 256 * 1024 * 1024 }

const columns = `id, integration_id AS integrationId, token_id AS tokenId, at_ms AS sentAt, method, url, status,
  took_ms AS durationMs, bytes`

/** Returns the ID. Deletes the oldest exchanges if a limit is exceeded, but never the new one. */
export function insertExchange(
  db: Db,
  { record, own, body, sealed, ...summary }: ExchangeFields,
  limits: HistoryLimits = historyLimits,
): number {
  return db.transaction(() => {
    const id = insertRow(db, 'api_exchange', {
      integration_id: summary.integrationId,
      token_id: summary.tokenId,
      at_ms: Math.round(summary.sentAt),
      method: summary.method,
      url: summary.url,
      status: summary.status,
      took_ms: summary.durationMs,
      bytes: summary.bytes,
      record: JSON.stringify({ ...record, own }),
    })
    insertRow(db, 'api_exchange_body', { id, body })
    const seal = insertInto(db, 'api_exchange_secret', ['exchange_id', 'name', 'sealed'])
    for (const { name, value } of sealed) seal({ exchange_id: id, name, sealed: value })
    makeRoom(db, limits)
    return id
  })()
}

function makeRoom(db: Db, limits: HistoryLimits): void {
  const sizes = prepare<[], { id: number; size: number }>(
    db,
    // SQLite reads both lengths without reading the values.
    `SELECT id, octet_length(record) + octet_length(body) AS size
     FROM api_exchange JOIN api_exchange_body USING (id) ORDER BY id DESC`,
  ).all()
  let bytes = 0
  const last = sizes.findIndex(({ size }, index) => {
    bytes += size
    return index > 0 && (index >= limits.exchanges || bytes > limits.bytes)
  })
  const oldest = sizes[last]
  if (last === -1 || !oldest) return
  prepare<[number]>(db, 'DELETE FROM api_exchange WHERE id <= ?').run(oldest.id)
}

export function clearExchanges(db: Db): number {
  return prepare<[]>(db, 'DELETE FROM api_exchange').run().changes
}

/** IDs below `before`, newest first. */
export function readHistory(
  db: Db,
  {
    integrationId,
    before,
    limit,
  }: { integrationId?: number | undefined; before?: number | undefined; limit: number },
): ApiSummary[] {
  return prepare<[NamedValues], ApiSummary>(
    db,
    `SELECT ${columns} FROM api_exchange
     WHERE id < $before AND integration_id = coalesce($integrationId, integration_id)
     ORDER BY id DESC LIMIT $limit`,
  ).all({
    integrationId: integrationId ?? null,
    before: before ?? Number.MAX_SAFE_INTEGER,
    limit,
  })
}

export function readExchange(db: Db, id: number): ApiExchange | null {
  const row = prepare<[number], ApiSummary & { record: string }>(
    db,
    `SELECT ${columns}, record FROM api_exchange WHERE id = ?`,
  ).get(id)
  if (!row) return null
  const { record: json, ...summary } = row
  const { own: _own, ...record }: StoredRecord = JSON.parse(json)
  return { ...summary, ...record }
}

/** A slice of the last response. SQLite returns NULL for an empty one. */
export function readExchangeBody(
  db: Db,
  { id, offset, length }: { id: number; offset: number; length: number },
): { bytes: Uint8Array; size: number } | null {
  const row = prepare<[NamedValues], { bytes: Uint8Array; size: number }>(
    db,
    "SELECT coalesce(substr(body, $start, $length), x'') AS bytes, length(body) AS size FROM api_exchange_body WHERE id = $id",
  ).get({ start: offset + 1, length, id })
  return row ?? null
}

/** The encrypted value, or null if it is stored elsewhere, and when the record was created. */
export function readExchangeSecret(
  db: Db,
  { id, name }: { id: number; name: string },
): { sealed: Uint8Array | null; endedAt: number } | null {
  const stored = readStored(db, id)
  if (!stored) return null
  const row = prepare<[number, string], { sealed: Uint8Array }>(
    db,
    'SELECT sealed FROM api_exchange_secret WHERE exchange_id = ? AND name = ?',
  ).get(id, name)
  return { sealed: row?.sealed ?? null, endedAt: stored.own.endedAt }
}

type StoredRecord = ExchangeRecord & { readonly own: Own }

function readStored(db: Db, id: number): StoredRecord | null {
  const row = prepare<[number], { record: string }>(
    db,
    'SELECT record FROM api_exchange WHERE id = ?',
  ).get(id)
  const stored: StoredRecord | null = row ? JSON.parse(row.record) : null
  return stored
}

export type SavedFields = Omit<SavedRequest, 'id'>

export function readSaved(db: Db): SavedRequest[] {
  return prepare<[], Omit<SavedRequest, 'request'> & { request: string }>(
    db,
    'SELECT id, name, request, saved_ms AS savedAt FROM saved_request ORDER BY name COLLATE NOCASE, id',
  )
    .all()
    .map((row) => {
      const request: ApiRequest = JSON.parse(row.request)
      return { ...row, request }
    })
}

/** Returns the ID. Replaces the request with `id`, if given; throws `not_found` if it does not exist. */
export function writeSaved(
  db: Db,
  { id, fields }: { id: number | null; fields: SavedFields },
): number {
  const { name, request, savedAt } = fields
  const row = {
    integration_id: request.integrationId,
    name,
    request: JSON.stringify(request),
    saved_ms: Math.round(savedAt),
  }
  if (id === null) return insertRow(db, 'saved_request', row)
  if (!updateRow(db, 'saved_request', id, row)) {
    throw new AppError('not_found', `Saved request ${id} does not exist. Save it as a new one.`)
  }
  return id
}

export function deleteSaved(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM saved_request WHERE id = ?').run(id)
}
