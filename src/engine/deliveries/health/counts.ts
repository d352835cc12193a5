import { eventTypeOf } from '#catalogue/catalogue.ts'
import { isAccepted } from '#catalogue/outcome.ts'
import type { Cause, DeliverySummary } from '#contract/models.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { isDamage } from '../../platform/store/search-file.ts'
import { hour, hourStart, minuteOf } from './local-time.ts'

export interface Series {
  /** 0: none. */
  readonly endpointId: number
  /** Empty: none. `*`: all that have no series of their own. */
  readonly location: string
  readonly type: string
}

export interface CountedDelivery {
  readonly receivedUs: number
  readonly endpointId: number | null
  readonly locationName: string | null
  readonly type: string | null
  readonly createdAt: number | null
  readonly verdict: string
  readonly via: string | null
  readonly sentBy: DeliverySummary['sentBy']
}

export type DeliveryKey = Pick<
  CountedDelivery,
  'endpointId' | 'locationName' | 'type' | 'verdict' | 'sentBy'
>

export const deliveryKeySql =
  'endpoint_id AS endpointId, location_name AS locationName, type, verdict, sent_by AS sentBy'

export interface CountedAttempt {
  readonly kind: string
  readonly sentAt: number
  /** Null: there was no complete response. */
  readonly status: number | null
  readonly durationMs: number
}

/** Each bucket of times is twice as long as the one before; the first begins at 0, and the second at 2 ** `first` milliseconds. */
const buckets = {
  delay: { first: 7, count: 18 },
  response: { first: 2, count: 15 },
} as const
type Times = keyof typeof buckets

/** Of the tables `health_minute` and `health_hour`. A row of counts is an array in this order. */
export const countColumns: readonly string[] = [
  'received',
  'failed',
  'via_tunnel',
  'via_relay',
  'handler_ok',
  'handler_rejected',
  'handler_none',
  'forwarded',
  'forward_failed',
  ...bucketColumns('delay'),
  ...bucketColumns('response'),
]

export type Counts = readonly number[]

function bucketColumns(of: Times): string[] {
  return Array.from({ length: buckets[of].count }, (_, index) => `${of}_${index}`)
}

const positions = new Map(countColumns.map((name, index) => [name, index]))

export function countOf(counts: Counts, column: string): number {
  return counts[positions.get(column) ?? -1] ?? 0
}

export function noCounts(): number[] {
  return countColumns.map(() => 0)
}

export function addCounts(sum: number[], counts: Counts): void {
  for (const [index, count] of counts.entries()) sum[index] = (sum[index] ?? 0) + count
}

function bucketOf(of: Times, ms: number): string {
  const { first, count } = buckets[of]
  const index = ms < 1 ? 0 : Math.floor(Math.log2(ms)) - first + 1
  return `${of}_${Math.min(count - 1, Math.max(0, index))}`
}

export function timesCounted(counts: Counts, of: Times): number {
  return bucketColumns(of).reduce((sum, column) => sum + countOf(counts, column), 0)
}

/** In milliseconds, as if the times of a bucket were spread evenly in it. Null: none was counted. `share`: from 0 to 1. */
export function percentileOf(counts: Counts, of: Times, share: number): number | null {
  const total = timesCounted(counts, of)
  if (total === 0) return null
  let left = total * share
  for (const [index, column] of bucketColumns(of).entries()) {
    const count = countOf(counts, column)
    if (left <= count) {
      const end = 2 ** (buckets[of].first + index)
      return index === 0 ? (end * left) / count : (end / 2) * 2 ** (left / count)
    }
    left -= count
  }
  return null
}

/** Beyond this, and of requests that anybody could have sent, locations and types count as others. */
const maxSeries = 1000

class Row {
  readonly minute: number
  readonly series: Series
  /** Its names may become a series. */
  isTrusted = false
  readonly counts = noCounts()

  constructor(minute: number, series: Series) {
    this.minute = minute
    this.series = series
  }

  add(column: string): void {
    const index = positions.get(column) ?? -1
    this.counts[index] = (this.counts[index] ?? 0) + 1
  }
}

/** Of others, anybody can send any number, with any names. */
export function isTrusted({
  endpointId,
  verdict,
}: Pick<DeliveryKey, 'endpointId' | 'verdict'>): boolean {
  return endpointId !== null && (verdict === 'valid' || verdict === 'unsigned')
}

class Rows {
  readonly #rows = new Map<string, Row>()

  of(delivery: Omit<DeliveryKey, 'sentBy'>, atMs: number): Row {
    const { endpointId, locationName, type } = delivery
    const minute = minuteOf(atMs)
    const key = `${minute}\n${endpointId}\n${locationName ?? ''}\n${type ?? ''}`
    let row = this.#rows.get(key)
    if (!row) {
      const series = { endpointId: endpointId ?? 0, location: locationName ?? '', type: type ?? '' }
      row = new Row(minute, series)
      this.#rows.set(key, row)
    }
    if (isTrusted(delivery)) row.isTrusted = true
    return row
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.#rows.values()
  }
}

export type Counting = ReturnType<typeof createCounting>

/**
 * Runs a transaction that stores and counts something: both or neither. But what can be stored is stored, even if damage prevents that it is counted: then
 * it runs again without counting, because SQLite writes nothing more in a transaction that met damage.
 */
export function countUnlessDamaged<T>(transaction: (counts: boolean) => T): T {
  try {
    return transaction(true)
  } catch (error) {
    if (!isDamage(error)) throw error
    return transaction(false)
  }
}

/** Call it within `countUnlessDamaged`. */
export function createCounting(db: Db) {
  const seriesId = createSeries(db)
  const added = countColumns.map((column) => `${column} = ${column} + excluded.${column}`)
  const upserts = ['health_minute', 'health_hour'].map((table) =>
    prepare<number[]>(
      db,
      `INSERT INTO ${table} (at, series_id, first_half, second_half, ${countColumns.join()})
       VALUES (?, ?, ?, ?, ${countColumns.map(() => '?').join()})
       ON CONFLICT DO UPDATE SET first_half = first_half | excluded.first_half,
         second_half = second_half | excluded.second_half, ${added.join()}`,
    ),
  )
  const save = (rows: Rows): void => {
    for (const { minute, series, isTrusted, counts } of rows) {
      const id = seriesId(series, isTrusted)
      const start = hourStart(minute)
      const bit = countOf(counts, 'received') > 0 ? 1 << ((minute - start) % 30) : 0
      const halves = minute - start < 30 ? [bit, 0] : [0, bit]
      upserts[0]?.run(minute, id, ...halves, ...counts)
      upserts[1]?.run(start, id, ...halves, ...counts)
    }
  }
  return {
    deliveries: (deliveries: readonly CountedDelivery[]) => {
      const rows = new Rows()
      for (const delivery of deliveries) {
        if (delivery.sentBy === null) countDelivery(rows, delivery)
      }
      save(rows)
    },
    /** With the deliveries that were sent. */
    attempts: (attempts: readonly (readonly [CountedAttempt, DeliveryKey])[]) => {
      const rows = new Rows()
      for (const [attempt, delivery] of attempts) {
        if (delivery.sentBy === null) countAttempt(rows, attempt, delivery)
      }
      save(rows)
    },
  }
}

function countDelivery(rows: Rows, delivery: CountedDelivery): void {
  const { receivedUs, createdAt, verdict, via } = delivery
  const row = rows.of(delivery, receivedUs / 1000)
  row.add('received')
  if (verdict === 'invalid' || verdict === 'missing') row.add('failed')
  if (via !== null) row.add(`via_${via}`)
  if (createdAt !== null) row.add(bucketOf('delay', receivedUs / 1000 - createdAt))
}

function countAttempt(rows: Rows, attempt: CountedAttempt, delivery: DeliveryKey): void {
  const { kind, sentAt, status, durationMs } = attempt
  const row = rows.of(delivery, sentAt)
  const isOk = status !== null && isAccepted(status)
  row.add(isOk ? 'handler_ok' : status === null ? 'handler_none' : 'handler_rejected')
  if (status !== null) row.add(bucketOf('response', durationMs))
  if (kind !== 'forward' && kind !== 'pass_through') return
  row.add('forwarded')
  if (!isOk) row.add('forward_failed')
}

/** Returns the ID of a series, or of the one with others. Nothing is kept in memory, so that a transaction can be rolled back. */
function createSeries(db: Db): (series: Series, isTrusted: boolean) => number {
  const find = prepare<[Series], { id: number }>(
    db,
    'SELECT id FROM health_series WHERE endpoint_id = $endpointId AND location = $location AND type = $type',
  )
  const insert = prepare<[Series]>(
    db,
    'INSERT INTO health_series (endpoint_id, location, type) VALUES ($endpointId, $location, $type)',
  )
  const size = prepare<[], number>(db, 'SELECT count(*) FROM health_series').pluck()
  const idOf = (series: Series): number =>
    find.get(series)?.id ?? Number(insert.run(series).lastInsertRowid)
  return (series, isTrusted) => {
    const known = find.get(series)?.id
    if (known !== undefined) return known
    if (isTrusted && (size.get() ?? 0) < maxSeries) return idOf(series)
    const { endpointId, location, type } = series
    return idOf({
      endpointId,
      location: location === '' ? '' : '*',
      type: type === '' || eventTypeOf(type) ? type : '*',
    })
  }
}

export function readSeries(db: Db): (Series & { id: number })[] {
  return prepare<[], Series & { readonly id: number }>(
    db,
    'SELECT id, endpoint_id AS endpointId, location, type FROM health_series',
  ).all()
}

/** Counts why the signature of a delivery fails, and when its endpoint first had that cause. `before`: what was counted. */
export function countCauses(
  db: Db,
  id: number,
  before: readonly Cause[],
  after: readonly Cause[],
): void {
  const add = prepare<[{ id: number; code: string; by: number }]>(
    db,
    `INSERT INTO health_cause (endpoint_id, code, first_ms, deliveries)
     SELECT endpoint_id, $code, received_us / 1000, max($by, 0) FROM delivery
     WHERE id = $id AND endpoint_id IS NOT NULL AND sent_by IS NULL
     ON CONFLICT DO UPDATE SET deliveries = max(deliveries + $by, 0), first_ms = min(first_ms, excluded.first_ms)`,
  )
  for (const { code } of before) add.run({ id, code, by: -1 })
  for (const { code } of after) add.run({ id, code, by: 1 })
}

/** As stored; none, if it was altered on the disk. */
export function causesOf(json: string | null): Cause[] {
  try {
    const causes: Cause[] | null = json === null ? null : JSON.parse(json)
    return causes ?? []
  } catch {
    return []
  }
}

/** How many minutes and hours are kept, of those with counts: so no jump of the clock deletes any. */
const kept = { health_minute: 48 * hour, health_hour: 366 * 24 } as const

export function deleteOldCounts(db: Db): void {
  for (const [table, count] of Object.entries(kept)) {
    // From each time to the one before: SQLite would read all rows to find the different ones.
    prepare<[number]>(
      db,
      `DELETE FROM ${table} WHERE at <= (
        WITH RECURSIVE time (at) AS (
          SELECT max(at) FROM ${table}
          UNION ALL SELECT (SELECT max(at) FROM ${table} WHERE at < time.at) FROM time WHERE time.at IS NOT NULL
        ) SELECT at FROM time LIMIT 1 OFFSET ?)`,
    ).run(count)
  }
}
