import type { Related, Trace } from '#contract/deliveries.ts'
import { eventOf } from '#catalogue/ids.ts'
import {
  digestOf,
  selectRowsSql,
  toHeaders,
  toSummary,
  type DeliveryRow,
} from '../../deliveries/rows.ts'
import { readByIds, readStats } from '../../deliveries/store.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { refSlots, refHash } from '../../deliveries/searchable.ts'
import { traceOf } from './collect.ts'
import { decodeSmall } from '../../payload/decode-body.ts'
import { parseBody } from '../../payload/parse-body.ts'
import type { Payload } from '#catalogue/payload.ts'
import { traceBodyLimit, type Head, type TraceSource, type Traced } from './model.ts'

/** For one ID, on either side of the requested delivery. */
const candidatesLimit = 20_000
/** For all IDs of a trace: an ID such as `1` may occur everywhere. */
const candidatesInAll = 100_000
const bytesLimit = 32 * 1024 * 1024

/** For one trace. Each delivery is read once. */
function createTraceSource(db: Db): TraceSource {
  const { read, unread } = createReader(db)
  const mentions = createMentions(db)
  return {
    read,
    unread,
    mentioning: (id, { around, limit, wanted = () => true }) => {
      const sides = [mentions.upTo(id, around), mentions.after(id, around)]
      const heads = new Map(sides.flatMap((side) => side.heads).map((head) => [head.id, head]))
      const nearest = [...heads.values()]
        .filter(wanted)
        .sort((a, b) => Math.abs(a.id - around) - Math.abs(b.id - around))
      return {
        found: readAll(read, nearest.slice(0, limit)),
        cut: nearest.length > limit || sides.some(({ cut }) => cut),
      }
    },
  }
}

interface BodyRow {
  readonly bytes: Buffer | null
  readonly size: number
  readonly headers: string
}

/** Parses bodies until they exceed the limit. `unread`: how many bodies were too large. */
function createReader(db: Db): Pick<TraceSource, 'read' | 'unread'> {
  const rows = prepare<[number], DeliveryRow>(db, `${selectRowsSql} WHERE id = ?`)
  const bodies = prepare<[number], BodyRow>(
    db,
    `SELECT CASE WHEN length(body) <= ${traceBodyLimit} THEN body END AS bytes, length(body) AS size, headers FROM delivery_content WHERE id = ? + 0`,
  )
  const known = new Map<number, Traced | null>()
  let bytesLeft = bytesLimit
  let unread = 0

  const payloadOf = ({ bytes, size, headers }: BodyRow): Payload => {
    if (!bytes || size > bytesLeft) {
      unread += 1
      return {}
    }
    bytesLeft -= size
    const decoded = decodeSmall(bytes, toHeaders(headers), traceBodyLimit)
    const parsed = decoded && parseBody(decoded)
    return parsed?.kind === 'object' ? parsed.payload : {}
  }
  return {
    read: (id) => {
      const before = known.get(id)
      if (before !== undefined) return before
      const row = rows.get(id)
      const body = row && bodies.get(id)
      const traced = row ? { row: toSummary(row), payload: body ? payloadOf(body) : {} } : null
      known.set(id, traced)
      return traced
    },
    unread: () => unread,
  }
}

interface Side {
  readonly heads: readonly Head[]
  readonly cut: boolean
}

function createMentions(db: Db): Record<'upTo' | 'after', (id: string, around: number) => Side> {
  let left = candidatesInAll
  const createSide = (comparison: '<' | '>=', order: 'DESC' | 'ASC') => {
    const select = prepare<[{ hash: number; refId: number; limit: number }], Head>(
      db,
      `SELECT delivery.id, delivery.type, delivery.target
       FROM delivery_ref AS ref CROSS JOIN delivery ON delivery.id = ref.id / ${refSlots}
       WHERE ref.hash = $hash AND ref.id ${comparison} $refId
       ORDER BY ref.id ${order} LIMIT $limit`,
    )
    return (id: string, around: number): Side => {
      const limit = Math.min(candidatesLimit, left)
      const heads = select.all({
        hash: refHash('id', id),
        refId: (around + 1) * refSlots,
        limit,
      })
      left -= heads.length
      return { heads, cut: heads.length === limit }
    }
  }
  return { upTo: createSide('<', 'DESC'), after: createSide('>=', 'ASC') }
}

function readAll(read: (id: number) => Traced | null, heads: readonly Head[]): Traced[] {
  return heads
    .map(({ id }) => read(id))
    .filter((traced) => traced !== null)
    .sort((a, b) => a.row.id - b.row.id)
}

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
