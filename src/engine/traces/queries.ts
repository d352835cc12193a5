import type { Related, Trace } from '#contract/deliveries.ts'
import { eventOf } from '#catalogue/ids.ts'
import { digestOf } from '../deliveries/rows.ts'
import { readByIds, readStats } from '../deliveries/store.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { refSlots } from '../search/indexer/limits.ts'
import { refHash } from '../search/indexer/searchable.ts'
import { traceOf } from './collect.ts'
import { createTraceSource } from './source.ts'

/** As far as deliveries are indexed; null if there is no such delivery. */
export function readTrace(db: Db, id: number): Trace | null {
  const source = createTraceSource(db)
  const from = source.read(id)
  if (!from) return null
  return { ...traceOf(source, from), indexedId: readStats(db).indexedId }
}

const maxShown = 20
/** Older deliveries are counted by hash only, to limit the time for frequent repeats. */
const compared = 20_000

/** As far as deliveries are indexed; null if there is no such delivery. */
export function readRelated(db: Db, id: number): Related | null {
  const delivery = createTraceSource(db).read(id)
  if (!delivery) return null
  const { row, payload } = delivery
  // Incomplete bodies may have the same start by chance, and empty bodies are not compared.
  const isComplete = row.arrival === 'complete' && row.bytes > 0
  const event = isComplete ? eventOf(payload) : null
  return {
    sameBody: isComplete
      ? alike(db, id, refHash('body', row.sha256), {
          text: 'delivery.sha256 = ?',
          values: [digestOf(row.sha256)],
        })
      : { total: 0, rows: [] },
    sameEvent:
      event === null
        ? { total: 0, rows: [] }
        : alike(db, id, refHash('event', event), {
            text: 'delivery.type = ? AND delivery.target = ? AND delivery.created_ms IS ? AND delivery.sha256 <> ?',
            values: [row.type, row.target, row.createdAt, digestOf(row.sha256)],
          }),
    indexed: readStats(db).indexedId >= id,
  }
}

type Value = string | number | null | Uint8Array

interface Condition {
  readonly text: string
  readonly values: readonly Value[]
}

/** The same hash and the condition, newest first. */
function alike(db: Db, id: number, hash: number, { text, values }: Condition): Related['sameBody'] {
  const found = prepare<Value[], { id: number }>(
    db,
    `SELECT delivery.id FROM (SELECT id FROM delivery_ref WHERE hash = ? ORDER BY id DESC LIMIT ${compared}) AS ref
     CROSS JOIN delivery ON delivery.id = ref.id / ${refSlots}
     WHERE delivery.id <> ? AND ${text}`,
  ).all(hash, id, ...values)
  const all = prepare<[number], { n: number }>(
    db,
    'SELECT count(*) AS n FROM delivery_ref WHERE hash = ?',
  ).get(hash)
  const newest = found.map(({ id }) => id).sort((a, b) => b - a)
  return {
    total: newest.length + Math.max(0, (all?.n ?? 0) - compared),
    rows: readByIds(db, newest.slice(0, maxShown)),
  }
}
