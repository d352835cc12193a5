import { eventTypes } from '#catalogue/catalogue.ts'
import type { HandlerCoverage } from '#contract/health.ts'
import type { RehearsalResult } from '#contract/rehearsal.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { readRehearsalResults, readRehearsals } from '../rehearsal/store.ts'

const windowMs = 30 * 86_400_000
/** The newest ones are read, so that the query takes less than a second. */
const maxAttempts = 200_000
const maxDeliveries = 200_000
const maxHandlers = 50
const maxOtherTypes = 50
/** Sends each type once. */
const rehearsalOfTypes = 'G1'

interface Target {
  readonly url: string
  readonly endpointId: number
}

export interface CoverageInput {
  readonly nowMs: number
  readonly targets: readonly Target[]
  /** What is sent there is a delivery of our own. Null: it does not listen. */
  readonly listener: string | null
}

interface Sent {
  readonly url: string
  readonly type: string | null
  readonly endpointId: number | null
  readonly sent: number
  readonly attemptId: number
  readonly deliveryId: number | null
  readonly draftId: number | null
  readonly at: number
  readonly status: number | null
  readonly error: string | null
}

/** With a bare column, SQLite takes the value of the row that has the maximum. */
const sentSql = `
  SELECT a.url AS url,
    CASE WHEN a.delivery_id IS NULL
      THEN (SELECT header.value ->> 1 FROM json_each(a.record, '$.request.headers') AS header
        WHERE lower(header.value ->> 0) LIKE 'x-%-event-type')
      ELSE d.type END AS sentType,
    d.endpoint_id AS endpointId, count(*) AS sent, max(a.id) AS attemptId, a.delivery_id AS deliveryId, a.draft_id AS draftId,
    a.at_ms AS at, a.status AS status, a.error AS error
  FROM attempt AS a LEFT JOIN delivery AS d ON d.id = a.delivery_id
  WHERE a.id > (SELECT coalesce(max(id), 0) FROM attempt) - ${maxAttempts} AND a.at_ms >= ? AND a.signing <> 'broken'
  GROUP BY a.url, sentType`

/** Over a range of IDs: with the index of types, it would read each delivery of a type in the order of the index. */
const capturedSql = `
  SELECT endpoint_id AS endpointId, type, max(id) AS id FROM delivery NOT INDEXED
  WHERE id > (SELECT coalesce(max(id), 0) FROM delivery) - ${maxDeliveries}
    AND endpoint_id IS NOT NULL AND type IS NOT NULL AND verdict IN ('valid', 'unsigned') AND arrival = 'complete'
  GROUP BY endpoint_id, type`

/** For each handler, what was sent of each type. Handlers that got something last come first after those of forward targets. */
export function readCoverage(
  db: Db,
  { nowMs, targets, listener }: CoverageInput,
): HandlerCoverage[] {
  const handlers = new Map<string, { endpointId: number | null; sent: Sent[] }>()
  for (const { url, endpointId } of targets) {
    const address = normal(url)
    if (!handlers.has(address)) handlers.set(address, { endpointId, sent: [] })
  }
  const rows = prepare<[number], Omit<Sent, 'type'> & { sentType: string | null }>(db, sentSql)
    .all(nowMs - windowMs)
    .toSorted((a, b) => b.attemptId - a.attemptId)
  for (const { sentType: type, ...row } of rows) {
    if (type === null || (listener !== null && row.url.startsWith(`${listener}/`))) continue
    // A delivery with a query passes it on to the target.
    const [withoutQuery = ''] = row.url.split('?', 1)
    const address = handlers.has(row.url) || !handlers.has(withoutQuery) ? row.url : withoutQuery
    const known = handlers.get(address)
    if (known) known.sent.push({ ...row, type })
    else handlers.set(address, { endpointId: row.endpointId, sent: [{ ...row, type }] })
  }
  const rehearsed = rehearsalsByUrl(db)
  const captured = capturedIds(db)
  return [...handlers].slice(0, maxHandlers).map(([url, { endpointId, sent }]) => {
    const endpoint = endpointId ?? sent.find((one) => one.endpointId !== null)?.endpointId ?? null
    const rehearsal = rehearsed.get(url)
    return {
      url,
      endpointId: endpoint,
      rehearsal: rehearsal ? { id: rehearsal.id, at: rehearsal.at } : null,
      types: typesOf(db, endpoint, sent).map((type) =>
        coverageOf(
          {
            type,
            capturedId: captured.get(keyOf(endpoint, type)) ?? null,
            rehearsed: rehearsal?.results.get(type) ?? null,
          },
          sent,
        ),
      ),
    }
  })
}

function normal(url: string): string {
  return URL.parse(url)?.href ?? url
}

function typesOf(db: Db, endpointId: number | null, sent: readonly Sent[]): string[] {
  const received = prepare<[number | null, number], { type: string }>(
    db,
    `SELECT DISTINCT type FROM rollup_series WHERE endpoint_id = ? AND type NOT IN ('', '*') LIMIT ?`,
  ).all(endpointId, maxOtherTypes)
  const documented = eventTypes.map(({ type }) => type)
  const others = new Set([
    ...sent.flatMap(({ type }) => (type === null ? [] : [type])),
    ...received.map(({ type }) => type),
  ])
  for (const type of documented) others.delete(type)
  return [...documented, ...[...others].toSorted().slice(0, maxOtherTypes)]
}

function keyOf(endpointId: number | null, type: string): string {
  return `${endpointId} ${type}`
}

function capturedIds(db: Db): ReadonlyMap<string, number> {
  return new Map(
    prepare<[], { endpointId: number; type: string; id: number }>(db, capturedSql)
      .all()
      .map(({ endpointId, type, id }) => [keyOf(endpointId, type), id]),
  )
}

type Known = Pick<HandlerCoverage['types'][number], 'type' | 'capturedId' | 'rehearsed'>

function coverageOf(
  { type, capturedId, rehearsed }: Known,
  sent: readonly Sent[],
): HandlerCoverage['types'][number] {
  // The newest first. There are several if a delivery had a query.
  const own = sent.filter((one) => one.type === type)
  const [last] = own
  return {
    type,
    sent: own.reduce((sum, one) => sum + one.sent, 0),
    last: last
      ? {
          attemptId: last.attemptId,
          deliveryId: last.deliveryId,
          draftId: last.draftId,
          at: last.at,
          status: last.status,
          error: last.error,
        }
      : null,
    capturedId: last ? null : capturedId,
    rehearsed,
  }
}

interface Rehearsed {
  readonly id: number
  readonly at: number
  readonly results: ReadonlyMap<string, RehearsalResult>
}

/** The newest rehearsal of each handler that has a result for each type. */
function rehearsalsByUrl(db: Db): ReadonlyMap<string, Rehearsed> {
  const found = new Map<string, Rehearsed>()
  for (const { id, startedAt, options } of readRehearsals(db)) {
    const url = normal(options.url)
    if (options.oauth !== undefined || found.has(url)) continue
    const variants = readRehearsalResults(db, id).find(
      (one) => one.id === rehearsalOfTypes,
    )?.variants
    if (!variants || variants.length === 0) continue
    found.set(url, {
      id,
      at: startedAt,
      results: new Map(variants.map(({ name, result }) => [name, result])),
    })
  }
  return found
}
