import { fullHeaders } from '../deliveries/shared-heads.ts'
import { decodeSmall } from '../search/indexer/decode-small.ts'
import { selectRowsSql, toHeaders, toSummary, type DeliveryRow } from '../deliveries/rows.ts'
import { refSlots } from '../search/indexer/limits.ts'
import { refHash } from '../search/indexer/searchable.ts'
import { parseBody } from '../capture/parse-body.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { verdicts } from '#contract/verdicts.ts'
import type { Payload } from '#catalogue/payload.ts'
import { traceBodyLimit, type Head, type TraceSource, type Traced } from './model.ts'

/** Maximum number of candidates for one ID on either side of the requested delivery. */
const candidatesLimit = 20_000
/** Maximum number of candidates for all IDs of a trace: an ID such as `1` may occur everywhere. */
const candidatesInAll = 100_000
/** Maximum size of all bodies of a trace, in bytes. */
const bytesLimit = 32 * 1024 * 1024

/** Creates the source for one trace. Each delivery is read once. */
export function createTraceSource(db: Db): TraceSource {
  const known = new Map<number, Traced | null>()
  const tooLarge = new Set<number>()
  let bytesLeft = bytesLimit
  let candidatesLeft = candidatesInAll

  const rows = prepare<[number], DeliveryRow>(db, `${selectRowsSql} WHERE id = ?`)
  const body = prepare<
    [number],
    { bytes: Buffer | null; size: number; head: string | null; headers: string }
  >(
    db,
    `SELECT CASE WHEN length(body) <= ${traceBodyLimit} THEN body END AS bytes, length(body) AS size, head, headers FROM captured_content WHERE id = ? + 0`,
  )

  const read = (id: number): Traced | null => {
    const before = known.get(id)
    if (before !== undefined) return before
    const found = rows.get(id)
    const row = found && toSummary(found)
    const content = row && body.get(id)
    let payload: Payload = {}
    if (content?.bytes && content.size <= bytesLeft) {
      bytesLeft -= content.size
      const decoded = decodeSmall(
        content.bytes,
        toHeaders(fullHeaders(content.head, content.headers)),
        traceBodyLimit,
      )
      const parsed = decoded && parseBody(decoded)
      if (parsed?.kind === 'object') payload = parsed.payload
    } else if (content) tooLarge.add(id)
    const traced = row ? { row, payload } : null
    known.set(id, traced)
    return traced
  }

  const mentions = (before: boolean) =>
    prepare<[number, number, number], Head>(
      db,
      `SELECT delivery.id, delivery.type, delivery.target, delivery.location_name AS location
       FROM delivery_ref AS ref CROSS JOIN delivery ON delivery.id = ref.id / ${refSlots}
       WHERE ref.hash = ? AND ref.id ${before ? '<' : '>='} ?
       ORDER BY ref.id ${before ? 'DESC' : 'ASC'} LIMIT ?`,
    )
  const upTo = mentions(true)
  const after = mentions(false)

  const side = (
    found: typeof upTo,
    id: string,
    around: number,
  ): { heads: Head[]; cut: boolean } => {
    const limit = Math.min(candidatesLimit, candidatesLeft)
    const heads = found.all(refHash('id', id), (around + 1) * refSlots, limit)
    candidatesLeft -= heads.length
    return { heads, cut: heads.length === limit }
  }

  // IDs are in order of arrival, but times need not be: clocks may be set back, and imported deliveries have older times.
  const range = prepare<[number, number], { first: number | null; last: number | null }>(
    db,
    'SELECT min(id) AS first, max(id) AS last FROM delivery WHERE received_us BETWEEN ? AND ?',
  )
  const ofType = prepare<(string | number)[], Head>(
    db,
    `SELECT id, type, target, location_name AS location FROM delivery
     WHERE type = ? AND verdict = ? AND id BETWEEN ? AND ? AND received_us BETWEEN ? AND ? ORDER BY id LIMIT ${candidatesLimit}`,
  )

  return {
    read,
    mentioning: (id, { around, most, wanted = () => true }) => {
      const sides = [side(upTo, id, around), side(after, id, around)]
      const heads = new Map(sides.flatMap(({ heads }) => heads).map((head) => [head.id, head]))
      const nearest = [...heads.values()]
        .filter(wanted)
        .sort((a, b) => Math.abs(a.id - around) - Math.abs(b.id - around))
      return {
        found: readAll(read, nearest.slice(0, most)),
        cut: nearest.length > most || sides.some(({ cut }) => cut),
      }
    },
    receivedBetween: (type, { from, to, most, wanted = () => true }) => {
      const times = [Math.floor(from * 1000), Math.ceil(to * 1000)] as const
      const { first, last } = range.get(...times) ?? { first: null, last: null }
      if (first === null || last === null) return { found: [], cut: false }
      const heads = verdicts.flatMap((verdict) => ofType.all(type, verdict, first, last, ...times))
      const fitting = heads.filter(wanted).sort((a, b) => a.id - b.id)
      return { found: readAll(read, fitting.slice(0, most)), cut: fitting.length > most }
    },
    unread: () => tooLarge.size,
  }
}

function readAll(read: (id: number) => Traced | null, heads: readonly Head[]): Traced[] {
  return heads
    .map(({ id }) => read(id))
    .filter((traced) => traced !== null)
    .sort((a, b) => a.row.id - b.row.id)
}
