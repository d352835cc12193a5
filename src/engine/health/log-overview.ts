import type { LogCounts } from '#contract/event-log.ts'
import type { HealthOverview } from '#contract/health.ts'
import { day, dayStart, hourStart, span } from './local-time.ts'
import { metric } from './metrics.ts'
import { bucketsOf, isInScope, likeBefore, overviewOf, type OverviewQuery } from './overview.ts'
import type { RollupRow, Series } from './rollup.ts'

export function timeOf({ span: name, at }: LogCounts): Pick<RollupRow, 'span' | 'at'> {
  return { span: span[name], at: Math.floor(at / 60_000) }
}

export function seriesOf({ endpointId, location, type }: NonNullable<LogCounts['about']>): Series {
  return { endpointId: endpointId ?? 0, location, type }
}

/** Without a store, until the last count. */
export function overviewOfLog(
  lines: readonly LogCounts[],
  endpoints: readonly HealthOverview['endpoints'][number][],
  scope: Omit<OverviewQuery, 'now'>,
): HealthOverview {
  const now = lines.reduce((last, { at }) => Math.max(last, at), 0)
  const query = { ...scope, now }
  const { at, to, bucket } = bucketsOf(query.range, now)
  const from = at[0] ?? to
  const startOf = bucket === day ? dayStart : hourStart
  const all = rollupOf(lines)
  const received = new Map<number, number>()
  const up = new Map<number, number>()
  const add = (sums: Map<number, number>, time: number, count: number): void =>
    void sums.set(startOf(time), (sums.get(startOf(time)) ?? 0) + count)
  for (const row of all.rows) {
    if (row.at < from - likeBefore) continue
    const series = all.series.get(row.seriesId)
    if (series && isInScope(series, query)) add(received, row.at, row.received)
    for (const [id, count] of series ? [] : row.counts) {
      if (all.metrics.get(id) === metric.up) add(up, row.at, count)
    }
  }
  const rows = all.rows.filter((row) => row.at >= from && row.at < to)
  const countedFrom = all.rows.reduce((first, row) => Math.min(first, row.at), Infinity)
  return overviewOf(
    {
      ...all,
      rows,
      received,
      up,
      countedFrom: Number.isFinite(countedFrom) ? countedFrom : null,
      behindMs: 0,
      endpoints: endpoints.map(({ id, name }) => ({ id, name })),
    },
    query,
    [],
  )
}

function rollupOf(lines: readonly LogCounts[]) {
  const ids = new Map<string, number>()
  const series = new Map<number, Series>()
  const metrics = new Map<number, string>()
  const idOf = <T>(key: string, values: Map<number, T>, value: T): number => {
    const id = ids.get(key) ?? ids.size + 1
    ids.set(key, id)
    values.set(id, value)
    return id
  }
  const rows = lines.map((line): RollupRow => {
    const about = line.about && seriesOf(line.about)
    return {
      ...timeOf(line),
      seriesId: about === null ? 0 : idOf(JSON.stringify(about), series, about),
      received: line.received,
      counts: new Map(
        Object.entries(line.counts).map(([name, count]) => [idOf(name, metrics, name), count]),
      ),
    }
  })
  return { series, metrics, rows }
}
