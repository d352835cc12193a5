import type { HealthOverview } from '#contract/health.ts'
import { readEndpoints } from '../endpoints/store.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { day, dayStart, hourStart, span, type Span } from './local-time.ts'
import { metric } from './metrics.ts'
import {
  bucketsOf,
  isInScope,
  likeBefore,
  overviewOf,
  type OverviewQuery,
  type Rollup,
} from './overview.ts'
import { readMetrics, readRollups, readSeries } from './rollup-rows.ts'
import type { RollupRow } from './rollup.ts'
import { readAlerts } from './store.ts'

const spans: readonly Span[] = [span.minute, span.hour, span.day]

/** `now` null: when the last count was made, in an event log. */
export function readOverview(
  db: Db,
  { now, ...scope }: Omit<OverviewQuery, 'now'> & { readonly now: number | null },
): HealthOverview {
  const query: OverviewQuery = { ...scope, now: now ?? (readLastCounted(db) ?? 0) * 60_000 }
  const { at, to, bucket } = bucketsOf(query.range, query.now)
  const from = at[0] ?? to
  const series = readSeries(db)
  const metrics = readMetrics(db)
  const startOf = bucket === day ? dayStart : hourStart
  const inScope = [...series].flatMap(([id, each]) => (isInScope(each, query) ? [id] : []))
  const progress = prepare<[], { behind: number }>(
    db,
    'SELECT behind_ms AS behind FROM rollup_progress',
  ).get()
  const rollup: Rollup = {
    series,
    metrics,
    rows: readAll(db, from, to),
    received: readReceived(db, inScope, from - likeBefore, to, startOf),
    up: readUp(db, metrics, from - likeBefore, to, startOf),
    countedFrom: readCountedFrom(db),
    behindMs: progress?.behind ?? 0,
    endpoints: readEndpoints(db).map(({ id, name }) => ({ id, name })),
  }
  return overviewOf(rollup, query, readAlerts(db, from * 60_000))
}

function* readAll(db: Db, from: number, to: number): Generator<RollupRow, void, undefined> {
  for (const each of spans) yield* readRollups(db, each, from, to)
}

function readReceived(
  db: Db,
  series: readonly number[],
  from: number,
  to: number,
  startOf: (at: number) => number,
): Map<number, number> {
  const query = prepare<[number, number, number, string], { at: number; received: number }>(
    db,
    `SELECT at, sum(received) AS received FROM rollup
     WHERE span = ? AND at >= ? AND at < ? AND series_id IN (SELECT value FROM json_each(?)) GROUP BY at`,
  )
  const ids = JSON.stringify(series)
  const sums = new Map<number, number>()
  for (const each of spans) {
    for (const { at, received } of query.all(each, from, to, ids)) {
      const start = startOf(at)
      sums.set(start, (sums.get(start) ?? 0) + received)
    }
  }
  return sums
}

function readUp(
  db: Db,
  metrics: ReadonlyMap<number, string>,
  from: number,
  to: number,
  startOf: (at: number) => number,
): Map<number, number> {
  const up = [...metrics].find(([, name]) => name === metric.up)?.[0] ?? 0
  const query = prepare<[number, number, number], { at: number; counts: string }>(
    db,
    'SELECT at, counts FROM rollup WHERE span = ? AND at >= ? AND at < ? AND series_id = 0',
  )
  const sums = new Map<number, number>()
  for (const each of spans) {
    for (const { at, counts } of query.all(each, from, to)) {
      const flat: number[] = JSON.parse(counts)
      const index = flat.findIndex((id, position) => position % 2 === 0 && id === up)
      const start = startOf(at)
      if (index >= 0) sums.set(start, (sums.get(start) ?? 0) + (flat[index + 1] ?? 0))
    }
  }
  return sums
}

function readCountedFrom(db: Db): number | null {
  const times = readTimes(db, 'min')
  return times.length === 0 ? null : Math.min(...times)
}

function readLastCounted(db: Db): number | null {
  const times = readTimes(db, 'max')
  return times.length === 0 ? null : Math.max(...times)
}

function readTimes(db: Db, which: 'min' | 'max'): number[] {
  const query = prepare<[number], { at: number | null }>(
    db,
    `SELECT ${which}(at) AS at FROM rollup WHERE span = ?`,
  )
  return spans.flatMap((each) => query.get(each)?.at ?? [])
}
