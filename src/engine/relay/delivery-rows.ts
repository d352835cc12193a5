import type { Delivery } from '#contract/models.ts'
import { insertInto, prepare, type Db } from '../platform/sqlite.ts'
import type { RelayedDelivery, RelayedGroup, Removed } from './messages.ts'

/** Of a delivery that came from a relay. */
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

export interface RelayedRows {
  /** It is stored already. */
  has(uid: Uint8Array): boolean
  put(id: number, group: RelayedGroup, delivery: RelayedDelivery): void
  /** `ids`: of those that were stored now. */
  advance(group: RelayedGroup, ids: readonly number[]): void
}

/** For the transaction of the deliveries. */
export function createRelayedRows(db: Db): RelayedRows {
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
    'SELECT position FROM relay_position WHERE relay_id = ? AND subject = ?',
  ).pluck()
  const savePosition = prepare<[number, string, number, number | null]>(
    db,
    `INSERT INTO relay_position VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET position = excluded.position,
       at_ms = coalesce(excluded.at_ms, at_ms)`,
  )
  const saveStream = prepare<[string, number]>(
    db,
    'UPDATE relay_source SET stream_created = ? WHERE relay_id = ?',
  )
  const saveAway = prepare<[AwayRow]>(
    db,
    `UPDATE relay_source SET away = away + $count, away_first_id = coalesce(away_first_id, $firstId), away_last_id = $lastId,
       away_from_us = min(coalesce(away_from_us, $fromUs), $fromUs), away_to_us = max(coalesce(away_to_us, $toUs), $toUs)
     WHERE relay_id = $relayId`,
  )
  // Until it is dismissed, it is what was removed since.
  const saveRemoved = prepare<[Removed & { relayId: number }]>(
    db,
    `UPDATE relay_source SET removed = json_object('messages', $messages + coalesce(removed ->> 'messages', 0),
       'from', iif(removed IS NULL, $from, removed ->> 'from'), 'to', $to) WHERE relay_id = $relayId`,
  )
  return {
    has: (uid) => find.get(uid) !== undefined,
    put: (id, group, { uid, receiver, position }) =>
      insert({
        delivery_id: id,
        uid,
        relay_id: group.relayId,
        receiver,
        position,
        forwarded: group.forwarded ? 1 : 0,
      }),
    advance: ({ relayId, streamCreated, positions, removed, isBacklog, deliveries }, ids) => {
      for (const { subject, position, atMs, after } of positions) {
        if ((stored.get(relayId, subject) ?? 0) !== after) throw new Error(outOfOrder)
        savePosition.run(relayId, subject, position, atMs)
      }
      saveStream.run(streamCreated, relayId)
      if (removed) saveRemoved.run({ relayId, ...removed })
      const [firstId, lastId] = [ids[0], ids.at(-1)]
      if (!isBacklog || firstId === undefined || lastId === undefined) return
      const times = deliveries.map(({ receivedUs }) => receivedUs)
      const [fromUs, toUs] = [Math.min(...times), Math.max(...times)]
      saveAway.run({ relayId, count: ids.length, firstId, lastId, fromUs, toUs })
    },
  }
}

const outOfOrder = 'the messages before these were not stored'

interface AwayRow {
  readonly relayId: number
  readonly count: number
  readonly firstId: number
  readonly lastId: number
  readonly fromUs: number
  readonly toUs: number
}
