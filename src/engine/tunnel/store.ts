import { tunnelCauses, tunnelStates } from '#contract/constants.ts'
import type { TunnelSpan } from '#contract/tunnel.ts'
import type { StoredTunnel } from './record.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

const retentionMs = 7 * 24 * 60 * 60 * 1000
const maxSpans = 5000

export function writeTunnel(db: Db, { wanted, record }: StoredTunnel): void {
  prepare<[number, string]>(
    db,
    `INSERT INTO tunnel (id, wanted, record) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET wanted = excluded.wanted, record = excluded.record`,
  ).run(wanted ? 1 : 0, JSON.stringify(record))
}

export function readLastSpanId(db: Db): number {
  // The newest span may have been deleted, and its id must not be reused.
  return (
    prepare<[], { seq: number }>(
      db,
      "SELECT seq FROM sqlite_sequence WHERE name = 'tunnel_span'",
    ).get()?.seq ?? 0
  )
}

/** Deletes spans that are too old or too many. */
export function writeSpan(db: Db, span: TunnelSpan): void {
  const write = prepare<[TunnelSpan]>(
    db,
    `INSERT INTO tunnel_span (id, from_ms, to_ms, state, cause, reason, url, provider)
     VALUES ($id, $startedAt, $endedAt, $state, $cause, $reason, $url, $provider)
     ON CONFLICT (id) DO UPDATE SET
       to_ms = excluded.to_ms, cause = excluded.cause, reason = excluded.reason, url = excluded.url`,
  )
  db.transaction(() => {
    write.run(span)
    prepare<[number]>(db, 'DELETE FROM tunnel_span WHERE to_ms < ?').run(span.endedAt - retentionMs)
    prepare<[number]>(
      db,
      `DELETE FROM tunnel_span
       WHERE id <= (SELECT id FROM tunnel_span ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    ).run(maxSpans)
  })()
}

/** Spans that end after `since` (milliseconds since the epoch), oldest first; at most the newest `limit`. */
export function readSpans(
  db: Db,
  { since, limit }: { since: number; limit: number },
): TunnelSpan[] {
  return (
    prepare<[number, number], TunnelSpan>(
      db,
      `SELECT from_ms AS startedAt, to_ms AS endedAt, id, state, cause, reason, url, provider
       FROM tunnel_span WHERE to_ms > ? ORDER BY id DESC LIMIT ?`,
    )
      .all(since, limit)
      // A span written by a later version may have an unknown state.
      .filter(({ state, cause }) => tunnelStates.includes(state) && tunnelCauses.includes(cause))
      .toReversed()
  )
}
