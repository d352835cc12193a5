import type { Delivery } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'
import { insertInto, insertRow, prepare, updateRow, type Db } from '../platform/sqlite.ts'
import type { Position, RelayedDelivery, RelayedGroup } from './groups.ts'

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
    prepare<[number]>(db, 'UPDATE relay_source SET skipped = 0 WHERE relay_id = ?').run(id)
  })()
}

export interface RelayFacts {
  readonly relayId: number
  readonly skipped: number
  readonly positions: readonly Position[]
  readonly deliveries: number
}

export function readRelayFacts(db: Db): RelayFacts[] {
  const positions = prepare<[number], Position>(
    db,
    'SELECT slug, stream_created AS created, position FROM relay_position WHERE relay_id = ?',
  )
  const select = prepare<[], Omit<RelayFacts, 'positions'>>(
    db,
    `SELECT relay_id AS relayId, skipped,
       (SELECT count(*) FROM relay_delivery WHERE relay_delivery.relay_id = relay_source.relay_id) AS deliveries
     FROM relay_source ORDER BY relay_id`,
  )
  // Counting takes long, and what is stored meanwhile must not be in some of the figures only.
  return db.transaction(() =>
    select.all().map((row) => ({ ...row, positions: positions.all(row.relayId) })),
  )()
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

export function readRelayOf(db: Db, id: number): Delivery['relay'] {
  const row = prepare<[number], NonNullable<Delivery['relay']>>(
    db,
    `SELECT relay_id AS id, (SELECT name FROM relay_source WHERE relay_source.relay_id = relay_delivery.relay_id) AS name, receiver, position
     FROM relay_delivery WHERE delivery_id = ?`,
  ).get(id)
  return row ?? null
}

/** For the store of an event log. */
export function createPutRelay(
  db: Db,
): (id: number, relay: NonNullable<Delivery['relay']>) => void {
  const insertSource = insertInto(db, 'relay_source', ['relay_id', 'name'], 'IGNORE')
  const insert = insertInto(db, 'relay_delivery', [
    'delivery_id',
    'relay_id',
    'receiver',
    'position',
    'forwarded',
  ])
  return (id, { id: relayId, name, receiver, position }) => {
    insertSource({ relay_id: relayId, name })
    insert({ delivery_id: id, relay_id: relayId, receiver, position, forwarded: 0 })
  }
}

export function createRelayedRows(db: Db) {
  const find = prepare<[Uint8Array]>(db, 'SELECT 1 FROM relay_delivery WHERE uid = ?')
  const insert = insertInto(db, 'relay_delivery', [
    'delivery_id',
    'uid',
    'relay_id',
    'receiver',
    'position',
    'forwarded',
  ])
  const stored = prepare<[number, string], number>(
    db,
    'SELECT position FROM relay_position WHERE relay_id = ? AND slug = ?',
  ).pluck()
  const savePosition = prepare<[number, string, string, number]>(
    db,
    'INSERT INTO relay_position VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET position = excluded.position',
  )
  const saveSkipped = prepare<[number, number]>(
    db,
    'UPDATE relay_source SET skipped = skipped + ? WHERE relay_id = ?',
  )
  return {
    /** It is stored already. */
    has: (uid: Uint8Array) => find.get(uid) !== undefined,
    put: (id: number, group: RelayedGroup, { uid, receiver, position }: RelayedDelivery) =>
      insert({
        delivery_id: id,
        uid,
        relay_id: group.relayId,
        receiver,
        position,
        forwarded: group.forwarded ? 1 : 0,
      }),
    advance: ({ relayId, slug, created, position, after }: RelayedGroup, skipped: number) => {
      if ((stored.get(relayId, slug) ?? 0) !== after) {
        throw new Error('the messages before these were not stored')
      }
      savePosition.run(relayId, slug, created, position)
      if (skipped > 0) saveSkipped.run(skipped, relayId)
    },
  }
}
