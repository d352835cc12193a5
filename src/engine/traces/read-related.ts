import type { Related } from '#contract/deliveries.ts'
import { eventOf } from '#catalogue/ids.ts'
import { readByIds, readStats } from '../deliveries/store.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { refSlots } from '../search/indexer/limits.ts'
import { refHash } from '../search/indexer/searchable.ts'
import { createTraceSource } from './source.ts'
import { throttleOf } from './throttle.ts'
import { targetOf } from './traced.ts'

const shown = 20
/** So many are compared; those before them are counted by their hash alone, which must not take longer with each repeat. */
const compared = 20_000
const scansLookedInto = 2000

/** What else is like a delivery, as far as the search index has come; null: there is no such delivery. */
export function readRelated(db: Db, id: number): Related | null {
  const source = createTraceSource(db)
  const delivery = source.read(id)
  if (!delivery) return null
  const { row, payload } = delivery
  // A part may begin like another, and nothing is the same as nothing.
  const whole = row.arrival === 'complete' && row.bytes > 0
  const event = whole ? eventOf(payload) : null
  const target = targetOf(payload)
  const scans =
    payload.type === 'QR_SCANNED' && target !== null
      ? source.mentioning(target, {
          around: id,
          most: scansLookedInto,
          wanted: (head) => head.type === 'QR_SCANNED' && head.target === target,
        }).found
      : []
  return {
    sameBody: whole
      ? alike(db, id, refHash('body', row.sha256), {
          text: 'delivery.sha256 = ?',
          values: [row.sha256],
        })
      : { total: 0, rows: [] },
    sameEvent:
      event === null
        ? { total: 0, rows: [] }
        : alike(db, id, refHash('event', event), {
            text: 'delivery.type = ? AND delivery.target = ? AND delivery.created_ms IS ? AND delivery.sha256 <> ?',
            values: [row.type, row.target, row.createdAt, row.sha256],
          }),
    throttle: throttleOf(delivery, scans),
    indexed: readStats(db).indexedId >= id,
  }
}

interface Condition {
  readonly text: string
  readonly values: readonly (string | number | null)[]
}

/** Those that share a hash with a delivery and are as it is, newest first. */
function alike(db: Db, id: number, hash: number, { text, values }: Condition): Related['sameBody'] {
  const found = prepare<(string | number | null)[], { id: number }>(
    db,
    `SELECT delivery.id FROM (SELECT id FROM delivery_ref WHERE hash = ? ORDER BY id DESC LIMIT ${compared}) AS ref
     CROSS JOIN delivery ON delivery.id = ref.id / ${refSlots}
     WHERE delivery.id <> ? AND ${text}`,
  ).all(hash, id, ...values)
  const all = prepare<[number], { n: number }>(
    db,
    'SELECT count(*) AS n FROM delivery_ref WHERE hash = ?',
  ).get(hash)
  const newest = found.map((one) => one.id).sort((a, b) => b - a)
  return {
    total: newest.length + Math.max(0, (all?.n ?? 0) - compared),
    rows: readByIds(db, newest.slice(0, shown)),
  }
}
