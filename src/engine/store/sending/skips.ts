import { z } from 'zod'
import { prepare, type Db } from '../driver.ts'
import type { Skip } from '../send-writes.ts'

/** So many stretches are kept, the newest. */
export const keptSkips = 10_000
/** So many sentences are told of one delivery. */
const toldSkips = 20

/** Returns how stretches of deliveries that were not forwarded are stored. */
export function createRecordSkips(db: Db, kept = keptSkips): (skips: readonly Skip[]) => void {
  const insert = prepare<[number, number, string, string, number, number, number, number, string]>(
    db,
    `INSERT INTO forward_skip (forward_id, endpoint_id, types, url, from_id, to_id, count, at_ms, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const makeRoom = prepare<[number]>(
    db,
    'DELETE FROM forward_skip WHERE id <= (SELECT max(id) FROM forward_skip) - ?',
  )
  return db.transaction((skips: readonly Skip[]) => {
    for (const skip of skips) {
      insert.run(
        skip.forwardId,
        skip.endpointId,
        JSON.stringify(skip.types),
        skip.url,
        skip.fromId,
        skip.toId,
        skip.count,
        Math.round(skip.at),
        skip.reason,
      )
    }
    makeRoom.run(kept)
  })
}

const Types = z.array(z.string())

/** Where a delivery was not forwarded to, and why, as sentences; the newest first. What went there at another time is no skip. */
export function readSkipsOf(db: Db, deliveryId: number): string[] {
  const delivery = prepare<[number], { endpoint_id: number | null; type: string | null }>(
    db,
    'SELECT endpoint_id, type FROM delivery WHERE id = ?',
  ).get(deliveryId)
  if (!delivery || delivery.endpoint_id === null) return []
  const { type } = delivery
  const rows = prepare<
    [number, number, number, number],
    { types: string; url: string; reason: string }
  >(
    db,
    `SELECT types, url, reason FROM forward_skip INDEXED BY forward_skip_by_end
     WHERE to_id >= ? AND from_id <= ? AND endpoint_id = ?
       AND NOT EXISTS (SELECT 1 FROM attempt WHERE delivery_id = ? AND forward_id = forward_skip.forward_id)
     ORDER BY id DESC`,
  ).all(deliveryId, deliveryId, delivery.endpoint_id, deliveryId)
  const sentences = rows
    .filter((row) => {
      const types = Types.parse(JSON.parse(row.types))
      return types.length === 0 || (type !== null && types.includes(type))
    })
    .map(({ url, reason }) => `Not forwarded to ${url}: ${reason}`)
  return [...new Set(sentences)].slice(0, toldSkips)
}
