import { z } from 'zod'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { createLogExtrasReader } from '../../deliveries/log-extras.ts'
import type { Skip } from './send-writes.ts'

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
  if (!delivery) return []
  const told = createLogExtrasReader(db)(deliveryId)
  if (told) return told.notForwarded
  return createSkipsReader(db).of({ id: deliveryId, endpointId: delivery.endpoint_id, ...delivery })
}

export interface SkipsReader {
  /** Whether any of the deliveries between two ids, both included, may have been skipped. */
  readonly any: (from: number, to: number) => boolean
  readonly of: (delivery: {
    readonly id: number
    readonly endpointId: number | null
    readonly type: string | null
  }) => string[]
}

/** As `readSkipsOf`, for whoever asks for many: the statements are made once. */
export function createSkipsReader(db: Db): SkipsReader {
  const any = prepare<[number, number], { one: number }>(
    db,
    'SELECT 1 AS one FROM forward_skip INDEXED BY forward_skip_by_end WHERE to_id >= ? AND from_id <= ? LIMIT 1',
  )
  const select = prepare<
    [number, number, number, number],
    { types: string; url: string; reason: string }
  >(
    db,
    `SELECT types, url, reason FROM forward_skip INDEXED BY forward_skip_by_end
     WHERE to_id >= ? AND from_id <= ? AND endpoint_id = ?
       AND NOT EXISTS (SELECT 1 FROM attempt WHERE delivery_id = ? AND forward_id = forward_skip.forward_id)
     ORDER BY id DESC`,
  )
  return {
    any: (from, to) => any.get(from, to) !== undefined,
    of: ({ id, endpointId, type }) => {
      if (endpointId === null) return []
      const sentences = select
        .all(id, id, endpointId, id)
        .filter((row) => {
          const types = Types.parse(JSON.parse(row.types))
          return types.length === 0 || (type !== null && types.includes(type))
        })
        .map(({ url, reason }) => `Not forwarded to ${url}: ${reason}`)
      return [...new Set(sentences)].slice(0, toldSkips)
    },
  }
}
