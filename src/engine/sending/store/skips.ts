import { insertInto, prepare, type Db, type NamedValues } from '../../platform/sqlite.ts'
import { createLogExtrasReader } from '../../deliveries/log-extras.ts'
import type { Skip } from '../messages.ts'

export const maxSkips = 10_000
const maxSentences = 20
const skipColumns = [
  'forward_id',
  'endpoint_id',
  'types',
  'url',
  'from_id',
  'to_id',
  'count',
  'at_ms',
  'reason',
] as const

export function createRecordSkips(db: Db, limit = maxSkips): (skips: readonly Skip[]) => void {
  const insert = insertInto(db, 'forward_skip', skipColumns)
  const deleteOldest = prepare<[number]>(
    db,
    'DELETE FROM forward_skip WHERE id <= (SELECT max(id) FROM forward_skip) - ?',
  )
  return db.transaction((skips: readonly Skip[]) => {
    for (const skip of skips) {
      insert({
        forward_id: skip.forwardId,
        endpoint_id: skip.endpointId,
        types: JSON.stringify(skip.types),
        url: skip.url,
        from_id: skip.fromId,
        to_id: skip.toId,
        count: skip.count,
        at_ms: Math.round(skip.at),
        reason: skip.reason,
      })
    }
    deleteOldest.run(limit)
  })
}

/** Where a delivery was not forwarded and why, newest first. Omits targets that it was sent to at another time. */
export function readSkipsOf(db: Db, deliveryId: number): string[] {
  const delivery = prepare<[number], { endpoint_id: number | null; type: string | null }>(
    db,
    'SELECT endpoint_id, type FROM delivery WHERE id = ?',
  ).get(deliveryId)
  if (!delivery) return []
  const logged = createLogExtrasReader(db)(deliveryId)
  if (logged) return logged.notForwarded
  return createSkipsReader(db).of({ id: deliveryId, endpointId: delivery.endpoint_id, ...delivery })
}

export interface SkipsReader {
  /** Whether a delivery between two ids (inclusive) may have been skipped. */
  readonly any: (from: number, to: number) => boolean
  readonly of: (delivery: {
    readonly id: number
    readonly endpointId: number | null
    readonly type: string | null
  }) => string[]
}

export function createSkipsReader(db: Db): SkipsReader {
  const any = prepare<[number, number], { one: number }>(
    db,
    'SELECT 1 AS one FROM forward_skip INDEXED BY forward_skip_by_end WHERE to_id >= ? AND from_id <= ? LIMIT 1',
  )
  const select = prepare<[NamedValues], { types: string; url: string; reason: string }>(
    db,
    `SELECT types, url, reason FROM forward_skip INDEXED BY forward_skip_by_end
     WHERE to_id >= $id AND from_id <= $id AND endpoint_id = $endpointId
       AND NOT EXISTS (SELECT 1 FROM attempt WHERE delivery_id = $id AND forward_id = forward_skip.forward_id)
     ORDER BY id DESC`,
  )
  return {
    any: (from, to) => any.get(from, to) !== undefined,
    of: ({ id, endpointId, type }) => {
      if (endpointId === null) return []
      const sentences = select
        .all({ id, endpointId })
        .filter((row) => {
          const types: string[] = JSON.parse(row.types)
          return types.length === 0 || (type !== null && types.includes(type))
        })
        .map(({ url, reason }) => `Not forwarded to ${url}: ${reason}`)
      return [...new Set(sentences)].slice(0, maxSentences)
    },
  }
}
