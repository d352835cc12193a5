import type { Cause, DeliverySummary } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { ClockOffset } from './clock-offset.ts'
import {
  dayStart,
  daysBefore,
  hour,
  hourStart,
  keep,
  minuteOf,
  rowOf,
  span,
  type Span,
} from './local-time.ts'
import { bucketOf, handlerOutcome, metric } from './metrics.ts'
import { RollupRows, readRollups } from './rollup-rows.ts'
import { addTo, type RollupRow } from './rollup.ts'

/** What is counted of a delivery. */
export interface CountedDelivery {
  readonly receivedUs: number
  readonly endpointId: number | null
  readonly locationName: string | null
  readonly type: string | null
  readonly createdAt: number | null
  readonly verdict: string
  readonly via: string | null
  readonly sentBy: DeliverySummary['sentBy']
  readonly findings: readonly { readonly code: string }[]
}

export type DeliveryKey = Pick<
  CountedDelivery,
  'receivedUs' | 'endpointId' | 'locationName' | 'type' | 'sentBy'
>

export const deliveryKeySql =
  'received_us AS receivedUs, endpoint_id AS endpointId, location_name AS locationName, type, sent_by AS sentBy'

export interface CountedAttempt {
  readonly id: number
  readonly deliveryId: number
  readonly kind: string
  readonly sentAt: number
  /** Null: there was no complete response. */
  readonly status: number | null
  readonly durationMs: number
}

/** Of Tabscope itself, once a minute. */
export interface Presence {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly tunnel: 'open' | 'closed' | 'down'
  readonly relayDown: boolean
}

interface Progress {
  deliveryId: number
  attemptId: number
  /** Counted again in steps: deliveries from `againFrom` to `againTo`, if received since `againSinceUs`. */
  againFrom: number
  againTo: number
  againSinceUs: number
  behindMs: number
}

const progressSql = `SELECT delivery_id AS deliveryId, attempt_id AS attemptId, again_from AS againFrom, again_to AS againTo,
  again_since_us AS againSinceUs, behind_ms AS behindMs FROM rollup_progress`

/** Deliveries that are read and counted at a time. */
const stepRows = 200
const maxActive = 5000

/**
 * Counts what arrives, for each minute and each endpoint, location and type. In memory until `flush`; what a crash loses is counted at the next start,
 * since the IDs up to which everything is counted are written with the counts.
 */
export class Rollups {
  readonly #db: Db
  readonly #rows: RollupRows
  readonly #now: () => number
  readonly #clock: ClockOffset
  readonly #progress: Progress
  readonly #read: ReturnType<typeof createRead>
  /** The last minute with a delivery, by endpoint, and by endpoint and location. */
  readonly #lastActive = new Map<string, number>()

  /** `now`: milliseconds since the epoch. */
  constructor(db: Db, now: () => number = Date.now) {
    this.#db = db
    this.#now = now
    this.#rows = new RollupRows(db)
    this.#progress = prepare<[], Progress>(db, progressSql).get() ?? {
      deliveryId: 0,
      attemptId: 0,
      againFrom: 1,
      againTo: 0,
      againSinceUs: 0,
      behindMs: 0,
    }
    this.#clock = new ClockOffset(this.#progress.behindMs)
    this.#read = createRead(db)
  }

  /** A new delivery, after its commit. */
  delivery(id: number, delivery: CountedDelivery): void {
    this.#progress.deliveryId = Math.max(this.#progress.deliveryId, id)
    if (delivery.sentBy === null) this.#count(delivery)
  }

  /** A new attempt, after its commit. */
  attempt(attempt: CountedAttempt, delivery: Omit<DeliveryKey, 'receivedUs'>): void {
    this.#progress.attemptId = Math.max(this.#progress.attemptId, attempt.id)
    if (!this.#isPending(attempt.deliveryId)) this.#countAttempt(attempt, delivery)
  }

  #later(id: number, name: string, by: number): void {
    if (this.#isPending(id)) return
    const delivery = this.#read.key(id)
    if (!delivery || delivery.sentBy !== null) return
    addTo(this.#rowOf(delivery).counts, this.#rows.metric(name), by)
  }

  /** Found by reading all deliveries again: those of before the last `again` were counted before. */
  observed(id: number, name: string): void {
    const { againTo, againSinceUs } = this.#progress
    const delivery = this.#read.key(id)
    if (!delivery || delivery.sentBy !== null) return
    if (id <= againTo && delivery.receivedUs < againSinceUs) return
    addTo(this.#rowOf(delivery).counts, this.#rows.metric(name))
  }

  causes(id: number, before: readonly Cause[], after: readonly Cause[]): void {
    for (const { code } of before) this.#later(id, `cause:${code}`, -1)
    for (const { code } of after) this.#later(id, `cause:${code}`, 1)
  }

  presence({ at, tunnel, relayDown }: Presence): void {
    const { counts } = this.#rows.at({ ...rowOf(minuteOf(at), minuteOf(this.#now())), seriesId: 0 })
    const up = this.#rows.metric(metric.up)
    if (counts.has(up)) return
    counts.set(up, 1)
    if (tunnel !== 'open') counts.set(this.#rows.metric(metric.tunnelClosed), 1)
    if (tunnel === 'down') counts.set(this.#rows.metric(metric.tunnelDown), 1)
    if (relayDown) counts.set(this.#rows.metric(metric.relayDown), 1)
  }

  get hasChanges(): boolean {
    return this.#rows.hasChanges
  }

  /** In one transaction. What cannot be written stays for the next one. */
  flush(): void {
    this.#db.transaction(() => {
      this.#rows.write()
      prepare<[Progress]>(
        this.#db,
        `UPDATE rollup_progress SET delivery_id = $deliveryId, attempt_id = $attemptId, again_from = $againFrom,
          again_to = $againTo, again_since_us = $againSinceUs, behind_ms = $behindMs`,
      ).run({ ...this.#progress, behindMs: this.#clock.behind })
    })()
    this.#rows.keep()
  }

  /** Counts, in steps, what a process stored that ended before it was counted. Call at the start, with the last ID. */
  catchUp(lastId: number): void {
    const { deliveryId, againFrom, againTo } = this.#progress
    if (deliveryId === 0 && this.#oldest(span.minute) !== null) {
      // The progress of a damaged store was lost, but not its counts.
      this.#progress.deliveryId = lastId
      this.again(true)
    } else if (deliveryId < lastId) {
      const isPending = againFrom <= againTo
      if (!isPending) Object.assign(this.#progress, { againFrom: deliveryId + 1, againSinceUs: 0 })
      Object.assign(this.#progress, { deliveryId: lastId, againTo: lastId })
    }
    for (const attempt of this.#read.attemptsAfter(this.#progress.attemptId)) {
      const delivery = this.#read.key(attempt.deliveryId)
      if (delivery) this.attempt(attempt, delivery)
    }
  }

  /** Starts to count stored deliveries again. Without `keepOlder`, all other counts are deleted. Returns how many there are, at most. */
  again(keepOlder: boolean): number {
    this.flush()
    const oldest = prepare<[], { us: number; id: number }>(
      this.#db,
      'SELECT received_us AS us, id FROM delivery WHERE pinned = 0 ORDER BY id LIMIT 1',
    ).get()
    const since = keepOlder ? this.#againSince(oldest?.us ?? this.#now() * 1000) : 0
    const last = this.#progress.deliveryId
    this.#db.transaction(() => {
      prepare<[number]>(this.#db, 'DELETE FROM rollup WHERE series_id <> 0 AND at >= ?').run(since)
    })()
    this.#rows.reload()
    this.#lastActive.clear()
    const againFrom = keepOlder ? (oldest?.id ?? last + 1) : 1
    Object.assign(this.#progress, { againFrom, againTo: last, againSinceUs: since * 60_000_000 })
    this.flush()
    return Math.max(0, last - againFrom + 1)
  }

  /** The oldest delivery may share its row with deleted ones, whose counts stay. In minutes since the epoch. */
  #againSince(oldestUs: number): number {
    const at = minuteOf(oldestUs / 1000)
    const older = prepare<[number], { at: number }>(
      this.#db,
      'SELECT at FROM rollup WHERE series_id <> 0 AND at < ? LIMIT 1',
    ).get(at)
    if (!older) return 0
    const row = rowOf(at, minuteOf(this.#now()))
    if (row.span === span.day) return dayStart(daysBefore(row.at, -1))
    return row.at + (row.span === span.hour ? hour : 1)
  }

  /** One step of `again`, or of making hours and days. Returns whether there is more to do. */
  step(): boolean {
    const isCounting = this.#progress.againFrom <= this.#progress.againTo
    return isCounting ? this.#countAgain() : this.#compact()
  }

  #countAgain(): boolean {
    const { againFrom, againTo, againSinceUs } = this.#progress
    const rows = this.#read.deliveries(againFrom, againTo)
    for (const { id, ...delivery } of rows) {
      for (const attempt of this.#read.attemptsOf(id)) {
        if (attempt.sentAt * 1000 >= againSinceUs) this.#countAttempt(attempt, delivery)
      }
      if (delivery.receivedUs < againSinceUs || delivery.sentBy !== null) continue
      const row = this.#count(delivery)
      for (const { code } of delivery.causes) addTo(row.counts, this.#rows.metric(`cause:${code}`))
    }
    this.#progress.againFrom = (rows.at(-1)?.id ?? againTo) + 1
    this.flush()
    return true
  }

  #isPending(id: number): boolean {
    return id >= this.#progress.againFrom && id <= this.#progress.againTo
  }

  #count(delivery: CountedDelivery): RollupRow {
    const row = this.#rowOf(delivery)
    row.received += 1
    const add = (name: string): void => addTo(row.counts, this.#rows.metric(name))
    if (delivery.verdict !== 'valid') add(delivery.verdict)
    if (delivery.via !== null) add(delivery.via)
    if (delivery.findings.length > 0) {
      for (const code of new Set(delivery.findings.map((finding) => finding.code))) {
        add(`finding:${code}`)
      }
    }
    if (delivery.createdAt !== null) {
      const delay = this.#clock.take(delivery.createdAt, delivery.receivedUs / 1000)
      add(`delay:${bucketOf(delay)}`)
    }
    this.#countActive(delivery, add)
    return row
  }

  #countActive(
    { receivedUs, endpointId, locationName }: DeliveryKey,
    add: (name: string) => void,
  ): void {
    const minute = minuteOf(receivedUs / 1000)
    for (const [key, name] of [
      [`${endpointId} ${locationName ?? ''}`, metric.active],
      [`${endpointId}`, metric.activeEndpoint],
    ] as const) {
      if ((this.#lastActive.get(key) ?? 0) >= minute) continue
      // A sender may use any number of locations.
      if (this.#lastActive.size > maxActive) this.#lastActive.clear()
      this.#lastActive.set(key, minute)
      add(name)
    }
  }

  #countAttempt(
    { kind, sentAt, status, durationMs }: CountedAttempt,
    delivery: Omit<DeliveryKey, 'receivedUs'>,
  ): void {
    if (delivery.sentBy !== null) return
    const { counts } = this.#rowOf({ ...delivery, receivedUs: sentAt * 1000 })
    const by = kind === 'forward' || kind === 'pass_through' ? 'handler' : 'manual'
    addTo(counts, this.#rows.metric(`${by}:${handlerOutcome(status)}`))
    if (status !== null) addTo(counts, this.#rows.metric(`response:${bucketOf(durationMs)}`))
  }

  #rowOf({ receivedUs, endpointId, locationName, type }: DeliveryKey): RollupRow {
    const seriesId = this.#rows.seriesId({
      endpointId: endpointId ?? 0,
      location: locationName ?? '',
      type: type ?? '',
    })
    const at = minuteOf(receivedUs / 1000)
    return this.#rows.at({ ...rowOf(at, minuteOf(this.#now())), seriesId })
  }

  #compact(): boolean {
    const now = minuteOf(this.#now())
    const minutesUntil = hourStart(now - keep.minutes)
    const hoursUntil = dayStart(now - keep.hours)
    return (
      this.#merge(span.minute, minutesUntil, span.hour, hourStart) ||
      this.#merge(span.hour, hoursUntil, span.day, dayStart) ||
      this.#deleteDays(now - keep.days)
    )
  }

  /** The oldest rows before `until`, as many as belong to one longer row. */
  #merge(from: Span, until: number, to: Span, startOf: (at: number) => number): boolean {
    const oldest = this.#oldest(from)
    if (oldest === null || oldest >= until) return false
    if (this.#rows.hasChanges) this.flush()
    const start = startOf(oldest)
    // A day may have 25 hours, and its last one begins in it.
    const end = from === span.minute ? start + hour : startOf(start + 26 * hour)
    const rows = [...readRollups(this.#db, from, start, Math.min(end, until))]
    for (const { seriesId, received, counts } of rows) {
      const row = this.#rows.at({ span: to, at: start, seriesId })
      row.received += received
      for (const [id, count] of counts) addTo(row.counts, id, count)
    }
    this.#db.transaction(() => {
      prepare<[number, number, number]>(
        this.#db,
        'DELETE FROM rollup WHERE span = ? AND at >= ? AND at < ?',
      ).run(from, start, Math.min(end, until))
      this.flush()
    })()
    this.#rows.reload()
    return true
  }

  #deleteDays(before: number): boolean {
    prepare<[number, number]>(this.#db, 'DELETE FROM rollup WHERE span = ? AND at < ?').run(
      span.day,
      before,
    )
    return false
  }

  #oldest(of: Span): number | null {
    return (
      prepare<[number], { at: number | null }>(
        this.#db,
        'SELECT min(at) AS at FROM rollup WHERE span = ?',
      ).get(of)?.at ?? null
    )
  }
}

interface StoredDelivery extends CountedDelivery {
  readonly id: number
  readonly causes: readonly Cause[]
}

function createRead(db: Db) {
  const key = prepare<[number], DeliveryKey>(
    db,
    `SELECT ${deliveryKeySql} FROM delivery WHERE id = ? + 0`,
  )
  const deliveries = prepare<
    [number, number, number],
    Omit<StoredDelivery, 'findings' | 'causes'> & { list: string | null; causes: string | null }
  >(
    db,
    `SELECT id, ${deliveryKeySql}, created_ms AS createdAt, coalesce(arrival_verdict, verdict) AS verdict, via, causes,
      (SELECT findings FROM finding_list WHERE finding_list.id = finding_list_id) AS list
     FROM delivery WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`,
  )
  const attemptSql = `SELECT id, delivery_id AS deliveryId, kind, at_ms AS sentAt, CASE WHEN error_code IS NULL THEN status END AS status,
    took_ms AS durationMs FROM attempt WHERE signing <> 'broken' AND delivery_id`
  const attemptsOf = prepare<[number], CountedAttempt>(db, `${attemptSql} = ? + 0`)
  const attemptsAfter = prepare<[number], CountedAttempt>(
    db,
    `${attemptSql} IS NOT NULL AND id > ? + 0 ORDER BY id`,
  )
  const read = (from: number, to: number): StoredDelivery[] =>
    deliveries.all(from, to, stepRows).map(({ list, causes, ...row }) => ({
      ...row,
      findings: codesOf(list),
      causes: causesOf(causes),
    }))
  return {
    key: (id: number) => key.get(id),
    deliveries: read,
    attemptsOf: (id: number) => attemptsOf.all(id),
    attemptsAfter: (id: number) => attemptsAfter.all(id),
  }
}

/** As stored; none, if it was altered on the disk. */
export function causesOf(json: string | null): Cause[] {
  const causes: Cause[] = arrayOf(json)
  return causes
}

function codesOf(list: string | null): { code: string }[] {
  const tuples: [string][] = arrayOf(list)
  return tuples.map(([code]) => ({ code }))
}

function arrayOf(json: string | null): never[] {
  try {
    const value: never[] | null = json === null ? null : JSON.parse(json)
    return value ?? []
  } catch {
    return []
  }
}
