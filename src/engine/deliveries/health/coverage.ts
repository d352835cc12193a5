import { eventTypes } from '#catalogue/catalogue.ts'
import type { HandlerCoverage } from '#contract/health.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'

const windowMs = 30 * 86_400_000
/** The newest ones are read, so that the query takes less than a second. */
const maxAttempts = 200_000
const maxHandlers = 50

export interface CoverageInput {
  readonly nowMs: number
  readonly targets: readonly { readonly url: string; readonly endpointId: number }[]
  /** What is sent there is a delivery of our own. Null: it does not listen. */
  readonly listener: string | null
}

type TypeCoverage = HandlerCoverage['types'][number]
type Last = NonNullable<TypeCoverage['last']>

interface Sent extends Last {
  readonly url: string
  readonly type: string
  readonly endpointId: number | null
  readonly sent: number
}

/** With a bare column, SQLite takes the value of the row that has the maximum. */
const sentSql = `
  SELECT a.url AS url, d.type AS type, d.endpoint_id AS endpointId, count(*) AS sent, max(a.id) AS attemptId,
    a.delivery_id AS deliveryId, a.at_ms AS at, a.status AS status, a.error AS error
  FROM attempt AS a JOIN delivery AS d ON d.id = a.delivery_id
  WHERE a.id > (SELECT coalesce(max(id), 0) FROM attempt) - ${maxAttempts} AND a.at_ms >= ? AND a.signing <> 'broken' AND d.type IS NOT NULL
  GROUP BY a.url, d.type ORDER BY attemptId DESC`

/** For each handler, which types of deliveries it got. Those of forward targets first, then those that got something last. */
export function readCoverage(
  db: Db,
  { nowMs, targets, listener }: CoverageInput,
): HandlerCoverage[] {
  const documented = eventTypes.map(({ type }): TypeCoverage => ({ type, sent: 0, last: null }))
  const handlers = new Map<string, HandlerCoverage>()
  const handlerAt = (url: string, endpointId: number | null): HandlerCoverage => {
    const handler = handlers.get(url) ?? { url, endpointId, types: structuredClone(documented) }
    handlers.set(url, handler)
    return handler
  }
  for (const { url, endpointId } of targets) handlerAt(url, endpointId)
  const rows = prepare<[number], Sent>(db, sentSql).all(nowMs - windowMs)
  for (const { url, type, endpointId, sent, ...last } of rows) {
    if (listener !== null && url.startsWith(`${listener}/`)) continue
    // A delivery with a query passes it on to the target.
    const [withoutQuery = ''] = url.split('?', 1)
    const { types } = handlerAt(handlers.has(withoutQuery) ? withoutQuery : url, endpointId)
    const known = types.find((one) => one.type === type)
    if (!known) types.push({ type, sent, last })
    else Object.assign(known, { sent: known.sent + sent, last: known.last ?? last })
  }
  return [...handlers.values()].slice(0, maxHandlers)
}
