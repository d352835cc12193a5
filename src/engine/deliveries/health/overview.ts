import type { ParsedInput } from '#contract/calls.ts'
import { likeHoursNeeded } from '#contract/constants.ts'
import type {
  Alert,
  HealthGrouping,
  HealthOverview,
  HealthRange,
  HealthScope,
} from '#contract/health.ts'
import { readEndpoints } from '../endpoints/store.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import {
  addCounts,
  countColumns,
  countOf,
  noCounts,
  percentileOf,
  readSeries,
  type Counts,
  type Series,
} from './counts.ts'
import {
  day,
  dayStart,
  daysBefore,
  hour,
  hourStart,
  likeBefore,
  likeTimes,
  minuteOf,
} from './local-time.ts'
import { readRunning, runningBetween, type Running } from './running.ts'
import { readAlerts } from './store.ts'

/** An hour in which Tabscope did not run that long tells nothing, unless something arrived by a relay. */
export const minutesUp = 30
const maxGroups = 20

const ranges: Readonly<Record<HealthRange, { bucket: number; count: number }>> = {
  hour: { bucket: 1, count: 60 },
  day: { bucket: 5, count: 288 },
  week: { bucket: hour, count: 168 },
  month: { bucket: hour, count: 720 },
  year: { bucket: day, count: 365 },
}

interface Buckets {
  /** Start of each. */
  readonly at: readonly number[]
  readonly from: number
  readonly to: number
  /** Length of each; a day has 23 or 25 hours when the clock changes. */
  readonly length: number
  readonly indexOf: (at: number) => number
}

function bucketsOf(range: HealthRange, now: number): Buckets {
  const { bucket: length, count } = ranges[range]
  const minute = minuteOf(now)
  if (length === day) {
    const today = dayStart(minute)
    const at = Array.from({ length: count }, (_, index) => daysBefore(today, count - 1 - index))
    const indexes = new Map(at.map((start, index) => [start, index]))
    const to = daysBefore(today, -1)
    return {
      at,
      from: at[0] ?? to,
      to,
      length,
      indexOf: (time) => indexes.get(dayStart(time)) ?? -1,
    }
  }
  const last = length === hour ? hourStart(minute) : minute - (minute % length)
  const at = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * length)
  const from = at[0] ?? last
  const indexOf = (time: number): number => Math.floor((time - from) / length)
  return { at, from, to: last + length, length, indexOf }
}

export type OverviewQuery = ParsedInput<'health.overview'> & { readonly now: number }

export function readOverview(db: Db, query: OverviewQuery): HealthOverview {
  const { range, by, now } = query
  const buckets = bucketsOf(range, now)
  const { at, from, to, length } = buckets
  const series = readSeries(db).filter((each) => isInScope(each, query))
  const inRange = { table: length < hour ? 'health_minute' : 'health_hour', from, to, series }
  const sums = readSums(db, inRange, buckets)
  const total = noCounts()
  for (const counts of sums) addCounts(total, counts)
  const running = readRunning(db, (from - likeBefore) * 60_000, now)
  const usual = readUsual(db, inRange, buckets, { running, now })
  const known = usual.filter((value) => value !== null)
  const { countedFrom, ranFrom } = readStart(db)
  const countsOf = (column: string): number[] => sums.map((counts) => countOf(counts, column))
  return {
    from: from * 60_000,
    to: to * 60_000,
    bucketMinutes: length,
    at: at.map((minute) => minute * 60_000),
    received: countsOf('received'),
    usual,
    failed: countsOf('failed'),
    handler: {
      ok: countsOf('handler_ok'),
      rejected: countsOf('handler_rejected'),
      noResponse: countsOf('handler_none'),
    },
    delay: percentilesOf(sums, 'delay'),
    response: percentilesOf(sums, 'response'),
    down: downIn(buckets, running, { ranFrom: ranFrom ?? now, now }),
    groups: readGroups(db, inRange, buckets, by),
    endpoints: readEndpoints(db).map(({ id, name }) => ({ id, name })),
    total: {
      received: countOf(total, 'received'),
      usual: known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0),
      delay: { p50: percentileOf(total, 'delay', 0.5), p90: percentileOf(total, 'delay', 0.9) },
      response: {
        p50: percentileOf(total, 'response', 0.5),
        p90: percentileOf(total, 'response', 0.9),
      },
    },
    alerts: readAlerts(db, from * 60_000).filter((alert) => isAbout(alert, query)),
    countedFrom,
  }
}

function isInScope(series: Series, { endpointId, location, type }: HealthScope): boolean {
  return (
    (endpointId === undefined || series.endpointId === (endpointId ?? 0)) &&
    (location === undefined || series.location === location) &&
    (type === undefined || series.type === type)
  )
}

function isAbout(alert: Alert, { endpointId, location }: HealthScope): boolean {
  return (
    (endpointId === undefined || endpointId === alert.endpointId) &&
    (location === undefined || alert.location === null || location === alert.location)
  )
}

function percentilesOf(sums: readonly Counts[], of: 'delay' | 'response'): HealthOverview['delay'] {
  const shares = (share: number) => sums.map((counts) => percentileOf(counts, of, share))
  return { p50: shares(0.5), p90: shares(0.9) }
}

interface RowsInRange {
  readonly table: string
  readonly from: number
  readonly to: number
  readonly series: readonly (Series & { readonly id: number })[]
}

function readRows<R extends unknown[]>(
  db: Db,
  { table, from, to, series }: RowsInRange,
  columns: string,
): IterableIterator<R> {
  const ids = JSON.stringify(series.map(({ id }) => id))
  return prepare<[number, number, string], R>(
    db,
    `SELECT ${columns} FROM ${table} WHERE at >= ? AND at < ? AND +series_id IN (SELECT value FROM json_each(?))
     ${columns.includes('sum(') ? 'GROUP BY at' : ''}`,
  )
    .raw()
    .iterate(from, to, ids)
}

function readSums(db: Db, range: RowsInRange, { at, indexOf }: Buckets): number[][] {
  const sums = at.map(noCounts)
  const columns = `at, ${countColumns.map((column) => `sum(${column})`).join()}`
  for (const [time, ...counts] of readRows<[number, ...number[]]>(db, range, columns)) {
    const sum = sums[indexOf(time)]
    if (sum) addCounts(sum, counts)
  }
  return sums
}

interface Group {
  readonly key: string
  total: number
  failed: number
  lastAt: number | null
  readonly received: number[]
}

function readGroups(
  db: Db,
  range: RowsInRange,
  { at, indexOf }: Buckets,
  by: HealthGrouping,
): HealthOverview['groups'] {
  const keys = new Map(range.series.map((each) => [each.id, keyOf(each, by)]))
  const groups = new Map<string, Group>()
  const columns = 'at, series_id, received, failed'
  for (const row of readRows<[number, number, number, number]>(db, range, columns)) {
    const [time, seriesId, received, failed] = row
    if (received === 0) continue
    const key = keys.get(seriesId) ?? ''
    let group = groups.get(key)
    if (!group) {
      group = { key, total: 0, failed: 0, lastAt: null, received: at.map(() => 0) }
      groups.set(key, group)
    }
    group.total += received
    group.failed += failed
    group.lastAt = Math.max(group.lastAt ?? 0, time * 60_000)
    const index = indexOf(time)
    group.received[index] = (group.received[index] ?? 0) + received
  }
  const sorted = [...groups.values()].sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1))
  const shown = sorted.slice(0, maxGroups).map((group) => ({ ...group, others: false }))
  const rest = sorted.slice(maxGroups)
  if (rest.length === 0) return shown
  const sumOf = (value: (group: Group) => number): number =>
    rest.reduce((sum, group) => sum + value(group), 0)
  const others = {
    key: '',
    others: true,
    total: sumOf(({ total }) => total),
    failed: sumOf(({ failed }) => failed),
    lastAt: Math.max(...rest.map(({ lastAt }) => lastAt ?? 0)),
    received: at.map((_, index) => sumOf(({ received }) => received[index] ?? 0)),
  }
  return [...shown, others]
}

function keyOf({ endpointId, location, type }: Series, by: HealthGrouping): string {
  if (by === 'location') return location
  if (by === 'type') return type
  return endpointId === 0 ? '' : String(endpointId)
}

/** For each bucket, the median of the like hours before, or of the like days; a part of it for a shorter bucket. */
function readUsual(
  db: Db,
  { from, to, series }: RowsInRange,
  { at, length }: Buckets,
  { running, now }: { running: readonly Running[]; now: number },
): (number | null)[] {
  const isDays = length === day
  const startOf = isDays ? dayStart : hourStart
  const received = new Map<number, number>()
  const before = { table: 'health_hour', from: from - likeBefore, to, series }
  for (const [time, count] of readRows<[number, number]>(db, before, 'at, sum(received)')) {
    received.set(startOf(time), (received.get(startOf(time)) ?? 0) + count)
  }
  const unit = isDays ? day : hour
  const least = isDays ? minutesUp * 12 : minutesUp
  const known = new Map<number, number | null>()
  const usual = (start: number): number | null => {
    const like = likeTimes(start).flatMap((time) => {
      const count = received.get(time)
      if (count !== undefined && count > 0) return [count]
      const ran = runningBetween(running, time * 60_000, (time + unit) * 60_000)
      return ran >= least * 60_000 ? [0] : []
    })
    return like.length < likeHoursNeeded ? null : medianOf(like)
  }
  return at.map((time) => {
    const start = startOf(time)
    if (!known.has(start)) known.set(start, usual(start))
    const value = known.get(start) ?? null
    if (value === null) return null
    const elapsed = Math.min(unit, Math.max(1, minuteOf(now) - time + 1))
    const part = length >= hour ? elapsed / unit : length / unit
    return Math.round(value * part * 10) / 10
  })
}

/** Shares of each bucket. Before Tabscope ran for the first time, nothing is known. All times in milliseconds. */
function downIn(
  { at, to }: Buckets,
  running: readonly Running[],
  { ranFrom, now }: { ranFrom: number; now: number },
): HealthOverview['down'] {
  const tunnelDown = running.filter(({ tunnel }) => tunnel === 'down')
  const relayDown = running.filter((each) => each.relayDown === 1)
  const shares = at.map((start, index) => {
    const from = Math.max(start * 60_000, ranFrom)
    const end = Math.min((at[index + 1] ?? to) * 60_000, now)
    if (end <= from) return { tabscope: 0, tunnel: 0, relay: 0 }
    const share = (of: readonly Running[]): number =>
      Math.min(1, runningBetween(of, from, end) / (end - from))
    return { tabscope: 1 - share(running), tunnel: share(tunnelDown), relay: share(relayDown) }
  })
  return {
    tabscope: shares.map(({ tabscope }) => tabscope),
    tunnel: shares.map(({ tunnel }) => tunnel),
    relay: shares.map(({ relay }) => relay),
  }
}

/** In milliseconds: when the oldest count begins, and when Tabscope ran for the first time. Null: never. */
function readStart(db: Db): { countedFrom: number | null; ranFrom: number | null } {
  const read = (sql: string): number | null =>
    prepare<[], number | null>(db, sql).pluck().get() ?? null
  const ranFrom = read('SELECT min(since_ms) FROM health_running')
  const countedFrom = read('SELECT min(at) * 60000 FROM health_hour') ?? ranFrom
  return { countedFrom: countedFrom && Math.min(countedFrom, ranFrom ?? countedFrom), ranFrom }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}
