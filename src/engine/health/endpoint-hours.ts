import { prepare, type Db } from '../platform/sqlite.ts'
import { hour, span } from './local-time.ts'
import { metric, type Histogram } from './metrics.ts'
import { readMetrics, readRollups, readSeries } from './rollup-rows.ts'
import { addTo, others, type RollupRow, type Series } from './rollup.ts'

export interface ActivityCounts {
  received: number
  /** Minutes with a delivery. */
  active: number
}

/** What an alert compares, of one endpoint in an hour or another time. */
export interface EndpointCounts extends ActivityCounts {
  invalid: number
  handlerTotal: number
  handlerFailed: number
  viaTunnel: number
  viaRelay: number
  readonly delays: Histogram
  /** By code. */
  readonly causes: Map<string, number>
  readonly locations: Map<string, ActivityCounts>
}

export interface HourCounts {
  /** Minutes in which Tabscope ran. */
  up: number
  readonly endpoints: Map<number, EndpointCounts>
}

/** When each cause of an endpoint was first counted, by its code. */
type FirstCauses = Map<number, Map<string, number>>

/** What is long ago is read again after this many calls of `reload`: it may have been counted again. */
const keptReloads = 60

export interface EndpointHours {
  /** `at`: the start of an hour of long ago, in minutes since the epoch. */
  readonly hour: (at: number) => HourCounts
  /** From one minute to another, exclusive, of those that are kept as such. */
  readonly minutes: (from: number, to: number) => HourCounts
  readonly presence: (from: number, to: number) => Map<number, ReadonlySet<string>>
  /** The last minute with a delivery, by endpoint and by location. Null: none. */
  readonly lastOf: (endpointId: number, location: string | null) => number | null
  /** That it ever had, without the empty one. */
  readonly locations: (endpointId: number) => string[]
  /** Call it with the minutes since the last call. */
  readonly firstCauses: (from: number, to: number) => FirstCauses
  /** Call it before a group of calls. */
  readonly reload: () => void
}

export function createEndpointHours(db: Db): EndpointHours {
  let series: ReadonlyMap<number, Series> = new Map()
  let metrics: ReadonlyMap<number, string> = new Map()
  const hours = new Map<number, HourCounts>()
  let firstCauses: FirstCauses | null = null
  let reloads = 0
  const sum = (rows: Iterable<RollupRow>): HourCounts => sumOf(rows, series, metrics)
  return {
    reload: () => {
      series = readSeries(db)
      metrics = readMetrics(db)
      reloads += 1
      if (reloads % keptReloads > 0) return
      hours.clear()
      firstCauses = null
    },
    hour: (at) => {
      let counts = hours.get(at)
      if (!counts) {
        // After a long time without Tabscope, minutes may not be hours yet.
        const spans = [span.hour, span.minute]
        counts = sum(spans.flatMap((each) => [...readRollups(db, each, at, at + hour)]))
        hours.set(at, counts)
      }
      return counts
    },
    minutes: (from, to) => sum(readRollups(db, span.minute, from, to)),
    presence: (from, to) => readPresence(db, metrics, from, to),
    lastOf: (endpointId, location) => readLast(db, endpointId, location),
    locations: (endpointId) => [
      ...new Set(
        [...series.values()].flatMap((each) =>
          each.endpointId === endpointId && each.location !== '' && each.location !== others
            ? [each.location]
            : [],
        ),
      ),
    ],
    firstCauses: (from, to) => {
      firstCauses ??= readFirstCauses(db, series, metrics)
      const recent = readRollups(db, span.minute, from, to)
      addFirstCauses(firstCauses, recent, series, metrics)
      return firstCauses
    },
  }
}

function sumOf(
  rows: Iterable<RollupRow>,
  series: ReadonlyMap<number, Series>,
  metrics: ReadonlyMap<number, string>,
): HourCounts {
  const sums: HourCounts = { up: 0, endpoints: new Map() }
  for (const { seriesId, received, counts } of rows) {
    if (seriesId === 0) {
      for (const [id, count] of counts) if (metrics.get(id) === metric.up) sums.up += count
      continue
    }
    const of = series.get(seriesId)
    if (!of) continue
    let endpoint = sums.endpoints.get(of.endpointId)
    if (!endpoint) sums.endpoints.set(of.endpointId, (endpoint = noCounts()))
    const location = endpoint.locations.get(of.location) ?? { ...noActivity }
    endpoint.locations.set(of.location, location)
    endpoint.received += received
    location.received += received
    for (const [id, count] of counts) addCount(endpoint, location, metrics.get(id) ?? '', count)
  }
  return sums
}

export const noActivity: ActivityCounts = { received: 0, active: 0 }

export function noCounts(): EndpointCounts {
  return {
    ...noActivity,
    invalid: 0,
    handlerTotal: 0,
    handlerFailed: 0,
    viaTunnel: 0,
    viaRelay: 0,
    delays: new Map(),
    causes: new Map(),
    locations: new Map(),
  }
}

function addCount(
  endpoint: EndpointCounts,
  location: ActivityCounts,
  name: string,
  count: number,
): void {
  const at = name.indexOf(':')
  const kind = at < 0 ? name : name.slice(0, at)
  const which = name.slice(at + 1)
  switch (kind) {
    case metric.active:
      location.active += count
      break
    case metric.activeEndpoint:
      endpoint.active += count
      break
    case 'invalid':
    case 'missing':
      endpoint.invalid += count
      break
    case metric.tunnel:
      endpoint.viaTunnel += count
      break
    case metric.relay:
      endpoint.viaRelay += count
      break
    case 'handler':
      endpoint.handlerTotal += count
      if (which !== 'ok') endpoint.handlerFailed += count
      break
    case 'delay':
      addTo(endpoint.delays, Number(which), count)
      break
    case 'cause':
      endpoint.causes.set(which, (endpoint.causes.get(which) ?? 0) + count)
      break
  }
}

/** The names of the metrics of each minute in which Tabscope ran. */
function readPresence(
  db: Db,
  metrics: ReadonlyMap<number, string>,
  from: number,
  to: number,
): Map<number, ReadonlySet<string>> {
  const rows = prepare<[number, number], { at: number; counts: string }>(
    db,
    'SELECT at, counts FROM rollup WHERE span = 0 AND at >= ? AND at < ? AND series_id = 0',
  ).all(from, to)
  return new Map(
    rows.map(({ at, counts }) => {
      const flat: number[] = JSON.parse(counts)
      return [
        at,
        new Set(flat.flatMap((id, index) => (index % 2 === 0 ? (metrics.get(id) ?? []) : []))),
      ]
    }),
  )
}

function readLast(db: Db, endpointId: number, location: string | null): number | null {
  const query = prepare<[number, number, string | null], { at: number }>(
    db,
    `SELECT at FROM rollup WHERE span = ? AND received > 0 AND series_id IN (
      SELECT id FROM rollup_series WHERE endpoint_id = ? AND location = coalesce(?, location))
     ORDER BY at DESC LIMIT 1`,
  )
  for (const each of [span.minute, span.hour, span.day]) {
    const row = query.get(each, endpointId, location)
    if (row) return row.at
  }
  return null
}

function readFirstCauses(
  db: Db,
  series: ReadonlyMap<number, Series>,
  metrics: ReadonlyMap<number, string>,
): FirstCauses {
  const first: FirstCauses = new Map()
  for (const each of [span.day, span.hour, span.minute]) {
    addFirstCauses(first, readRollups(db, each, 0, Number.MAX_SAFE_INTEGER), series, metrics)
  }
  return first
}

function addFirstCauses(
  first: FirstCauses,
  rows: Iterable<RollupRow>,
  series: ReadonlyMap<number, Series>,
  metrics: ReadonlyMap<number, string>,
): void {
  for (const { at, seriesId, counts } of rows) {
    for (const id of counts.keys()) {
      const name = metrics.get(id) ?? ''
      const endpointId = series.get(seriesId)?.endpointId
      if (endpointId === undefined || !name.startsWith('cause:')) continue
      const ofEndpoint = first.get(endpointId) ?? new Map<string, number>()
      first.set(endpointId, ofEndpoint)
      const code = name.slice('cause:'.length)
      ofEndpoint.set(code, Math.min(ofEndpoint.get(code) ?? at, at))
    }
  }
}
