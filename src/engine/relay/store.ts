import { AppError } from '../platform/errors.ts'
import { insertRow, prepare, updateRow, type Db } from '../platform/sqlite.ts'
import type { Position, Removed } from './messages.ts'

export interface RelayRecord {
  readonly user: string
  readonly servers: readonly string[]
  readonly ca: string | null
  readonly endpoints: readonly string[]
  readonly enabled: boolean
  readonly forward: boolean
}

export interface StoredRelay {
  readonly id: number
  readonly name: string
  /** Null: the server needs no key. */
  readonly sealedSeed: Uint8Array | null
  readonly record: RelayRecord
}

interface Row extends Omit<StoredRelay, 'record'> {
  readonly record: string
}

export function readRelays(db: Db): StoredRelay[] {
  return prepare<[], Row>(
    db,
    'SELECT id, name, sealed_seed AS sealedSeed, record FROM relay ORDER BY id',
  )
    .all()
    .map(({ record, ...row }) => {
      const parsed: RelayRecord = JSON.parse(record)
      return { ...row, record: parsed }
    })
}

/** Throws `name_taken`. */
export function insertRelay(db: Db, { name, sealedSeed, record }: Omit<StoredRelay, 'id'>): number {
  assertNameFree(db, name, null)
  return db.transaction(() => {
    // Deliveries and positions of a relay that the configuration lost are not those of the new one.
    const id = prepare<[], number | null>(db, 'SELECT max(relay_id) + 1 FROM relay_source')
      .pluck()
      .get()
    const row = { id: id ?? null, name, sealed_seed: sealedSeed, record: JSON.stringify(record) }
    const inserted = insertRow(db, 'relay', row)
    saveSources(db)
    return inserted
  })()
}

/** Throws `name_taken`. */
export function updateRelay(db: Db, { id, name, record }: Omit<StoredRelay, 'sealedSeed'>): void {
  assertNameFree(db, name, id)
  db.transaction(() => {
    updateRow(db, 'relay', id, { name, record: JSON.stringify(record) })
    saveSources(db)
  })()
}

/** In the store, which may be another one than that of the configuration: the one before was damaged. */
export function saveSources(db: Db): void {
  prepare(
    db,
    'INSERT INTO relay_source (relay_id, name) SELECT id, name FROM relay WHERE true ON CONFLICT DO UPDATE SET name = excluded.name',
  ).run()
}

export function replaceRelayKey(db: Db, { id, sealedSeed, record }: StoredRelay): void {
  updateRow(db, 'relay', id, { sealed_seed: sealedSeed, record: JSON.stringify(record) })
}

/** Its deliveries keep its name. */
export function deleteRelay(db: Db, id: number): void {
  db.transaction(() => {
    prepare<[number]>(db, 'DELETE FROM relay WHERE id = ?').run(id)
    prepare<[number]>(db, 'DELETE FROM relay_position WHERE relay_id = ?').run(id)
    prepare<[number]>(
      db,
      `DELETE FROM relay_source WHERE relay_id = ? AND relay_id NOT IN (SELECT relay_id FROM relay_delivery)`,
    ).run(id)
  })()
}

/** The next read starts at the first message of the stream. */
export function restartRelay(db: Db, id: number): void {
  db.transaction(() => {
    prepare<[number]>(db, 'DELETE FROM relay_position WHERE relay_id = ?').run(id)
    prepare<[number]>(db, 'UPDATE relay_source SET stream_created = NULL WHERE relay_id = ?').run(
      id,
    )
  })()
}

const awayStored =
  'relay_delivery WHERE relay_delivery.relay_id = relay_source.relay_id AND delivery_id BETWEEN away_first_id AND away_last_id'

/** `upTo`: only if no more of `away` are stored. 1 or less is not reported, and ends before the next time away. */
export function dismissRelay(
  db: Db,
  { id, what, upTo }: { id: number; what: 'away' | 'removed'; upTo?: number },
): void {
  const columns =
    what === 'removed'
      ? 'removed = NULL'
      : 'away = 0, away_first_id = NULL, away_last_id = NULL, away_from_us = NULL, away_to_us = NULL'
  prepare<[number, number]>(
    db,
    `UPDATE relay_source SET ${columns} WHERE relay_id = ? AND (SELECT count(*) FROM ${awayStored}) <= ?`,
  ).run(id, upTo ?? Number.MAX_SAFE_INTEGER)
}

/** What the store knows about a relay. */
export interface RelayFacts {
  readonly relayId: number
  readonly streamCreated: string | null
  readonly positions: readonly Position[]
  readonly deliveries: number
  readonly away: {
    readonly deliveries: number
    readonly firstId: number
    readonly lastId: number
    readonly from: number
    readonly to: number
  } | null
  readonly removed: Removed | null
}

interface FactsRow {
  readonly relayId: number
  readonly streamCreated: string | null
  readonly away: number
  /** In the range of their IDs, which can have others of the relay. */
  readonly stored: number
  readonly firstId: number
  readonly lastId: number
  readonly fromUs: number
  readonly toUs: number
  readonly removed: string | null
}

export function readRelayFacts(db: Db): RelayFacts[] {
  const positions = prepare<[number], Position>(
    db,
    'SELECT subject, position, at_ms AS atMs FROM relay_position WHERE relay_id = ?',
  )
  const count = prepare<[number], number>(
    db,
    'SELECT count(*) FROM relay_delivery WHERE relay_id = ?',
  ).pluck()
  const receivedUs = prepare<[number], number>(
    db,
    'SELECT received_us FROM delivery WHERE id = ?',
  ).pluck()
  const select = prepare<[], FactsRow>(
    db,
    `SELECT relay_id AS relayId, stream_created AS streamCreated, away, (SELECT count(*) FROM ${awayStored}) AS stored,
       (SELECT min(delivery_id) FROM ${awayStored}) AS firstId, (SELECT max(delivery_id) FROM ${awayStored}) AS lastId,
       away_from_us AS fromUs, away_to_us AS toUs, removed
     FROM relay_source ORDER BY relay_id`,
  )
  // Counting takes long, and what is stored meanwhile must not be in some of the figures only.
  return db.transaction(() =>
    select.all().map((row) => ({
      relayId: row.relayId,
      streamCreated: row.streamCreated,
      positions: positions.all(row.relayId),
      deliveries: Number(count.get(row.relayId)),
      away: awayOf(row, (id) => receivedUs.get(id)),
      removed: row.removed === null ? null : JSON.parse(row.removed),
    })),
  )()
}

/** Without what was deleted since. */
function awayOf(
  { away, stored, firstId, lastId, fromUs, toUs }: FactsRow,
  receivedUs: (id: number) => number | undefined,
): RelayFacts['away'] {
  const deliveries = Math.min(away, stored)
  if (deliveries < 2) return null
  const [from, to] =
    stored < away ? [receivedUs(firstId) ?? fromUs, receivedUs(lastId) ?? toUs] : [fromUs, toUs]
  return { deliveries, firstId, lastId, from: from / 1000, to: to / 1000 }
}

/** The oldest ones. */
export function readRelayedIds(
  db: Db,
  { relayId, limit }: { relayId: number; limit: number },
): number[] {
  return prepare<[number, number], number>(
    db,
    'SELECT delivery_id FROM relay_delivery WHERE relay_id = ? LIMIT ?',
  )
    .pluck()
    .all(relayId, limit)
}

function assertNameFree(db: Db, name: string, except: number | null): void {
  const taken = prepare<[string], { id: number }>(
    db,
    'SELECT id FROM relay WHERE name = ? COLLATE NOCASE',
  ).get(name)
  if (!taken || taken.id === except) return
  throw new AppError('name_taken', `There is a relay "${name}" already. Choose another name.`, {
    details: { fields: ['name'] },
  })
}
