import type {
  Alert,
  HealthGrouping,
  HealthOverview,
  HealthRange,
  HealthScope,
} from '#contract/health.ts'
import { likeHoursNeeded } from '#contract/constants.ts'
import {
  day,
  dayStart,
  daysBefore,
  hour,
  hourStart,
  minuteOf,
  week,
  weeksBefore,
} from './local-time.ts'
import { metric, percentileOf, type Histogram } from './metrics.ts'
import { addTo, type RollupRow, type Series } from './rollup.ts'

/** Weeks before, whose like hours are usual. */
export const likeWeeks = 4
/** An hour in which Tabscope did not run that long tells nothing, unless something arrived by a relay. */
export const minutesUp = 30
const maxGroups = 20

const ranges: Readonly<Record<HealthRange, { readonly bucket: number; readonly count: number }>> = {
  hour: { bucket: 1, count: 60 },
  day: { bucket: 5, count: 288 },
  week: { bucket: hour, count: 168 },
  month: { bucket: hour, count: 720 },
  year: { bucket: day, count: 365 },
}

/** Start of each bucket, and the end of the last, in minutes since the epoch. `now` in milliseconds. */
export function bucketsOf(
  range: HealthRange,
  now: number,
): { at: number[]; to: number; bucket: number } {
  const { bucket, count } = ranges[range]
  const minute = minuteOf(now)
  if (bucket === day) {
    const today = dayStart(minute)
    const at = Array.from({ length: count }, (_, index) => daysBefore(today, count - 1 - index))
    return { at, to: daysBefore(today, -1), bucket }
  }
  const last = bucket === hour ? hourStart(minute) : minute - (minute % bucket)
  const at = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * bucket)
  return { at, to: last + bucket, bucket }
}

export interface Rollup {
  readonly series: ReadonlyMap<number, Series>
  /** Names by ID. */
  readonly metrics: ReadonlyMap<number, string>
  /** That begin in the range, of any span. */
  readonly rows: Iterable<RollupRow>
  /** Deliveries of the scope and minutes that Tabscope ran, by hour (by day for a year), from `likeWeeks` before the range on. */
  readonly received: ReadonlyMap<number, number>
  readonly up: ReadonlyMap<number, number>
  /** In minutes since the epoch; null: nothing was counted yet. */
  readonly countedFrom: number | null
  readonly behindMs: number
  readonly endpoints: HealthOverview['endpoints']
}

export interface OverviewQuery extends HealthScope {
  readonly range: HealthRange
  readonly by: HealthGrouping
  /** Milliseconds since the epoch. */
  readonly now: number
}

export function isInScope(series: Series, { endpointId, location, type }: HealthScope): boolean {
  return (
    (endpointId === undefined || series.endpointId === (endpointId ?? 0)) &&
    (location === undefined || series.location === location) &&
    (type === undefined || series.type === type)
  )
}

interface Group {
  readonly key: string
  total: number
  failed: number
  lastAt: number | null
  readonly received: number[]
}

/** Pure: the same for the store, an imported log and an exported page. */
export function overviewOf(
  rollup: Rollup,
  query: OverviewQuery,
  alerts: readonly Alert[],
): HealthOverview {
  const { at, to, bucket } = bucketsOf(query.range, query.now)
  const sums = new Sums(at, to, bucket)
  for (const row of rollup.rows) {
    if (row.seriesId === 0) sums.addPresence(row, rollup.metrics)
    else {
      const series = rollup.series.get(row.seriesId)
      if (series && isInScope(series, query)) sums.add(row, series, rollup.metrics, query.by)
    }
  }
  const usual = usualOf(rollup, at, bucket, query.now)
  const known = usual.filter((value) => value !== null)
  return {
    from: (at[0] ?? 0) * 60_000,
    to: to * 60_000,
    bucketMinutes: bucket,
    at: at.map((minute) => minute * 60_000),
    received: sums.received,
    usual,
    failed: sums.failed,
    duplicates: sums.duplicates,
    throttled: sums.throttled,
    handler: sums.handler,
    delay: percentiles(sums.delays),
    response: percentiles(sums.responses),
    down: sums.down(rollup.countedFrom, minuteOf(query.now)),
    groups: groupsOf([...sums.groups.values()]),
    endpoints: rollup.endpoints,
    causes: counted(sums.causes),
    findings: counted(sums.findings),
    total: {
      received: sums.received.reduce((sum, count) => sum + count, 0),
      usual: known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0),
      delay: { p50: percentileOf(sums.allDelays, 0.5), p99: percentileOf(sums.allDelays, 0.99) },
      response: {
        p50: percentileOf(sums.allResponses, 0.5),
        p99: percentileOf(sums.allResponses, 0.99),
      },
    },
    clockBehindMs: rollup.behindMs,
    alerts: alerts.filter((alert) => isAbout(alert, query)),
    countedFrom: rollup.countedFrom === null ? null : rollup.countedFrom * 60_000,
  }
}

function isAbout(alert: Alert, { endpointId, location }: HealthScope): boolean {
  return (
    (endpointId === undefined || endpointId === alert.endpointId) &&
    (location === undefined || alert.location === null || location === alert.location)
  )
}

/** For each bucket. */
class Sums {
  readonly #at: readonly number[]
  readonly #to: number
  readonly #bucket: number
  readonly #days: ReadonlyMap<number, number> | null
  readonly #known = new Map<number, number>()
  /** A name and what follows its colon, by ID. */
  readonly #names = new Map<number, readonly [kind: string, which: string]>()
  readonly received
  readonly failed
  readonly duplicates
  readonly throttled
  readonly handler
  readonly delays: Histogram[]
  readonly responses: Histogram[]
  readonly allDelays: Histogram = new Map()
  readonly allResponses: Histogram = new Map()
  readonly causes = new Map<string, number>()
  readonly findings = new Map<string, number>()
  readonly groups = new Map<string, Group>()
  readonly #up
  readonly #tunnelDown
  readonly #relayDown

  constructor(at: readonly number[], to: number, bucket: number) {
    this.#at = at
    this.#to = to
    this.#bucket = bucket
    this.#days = bucket === day ? new Map(at.map((start, index) => [start, index])) : null
    const zeros = (): number[] => at.map(() => 0)
    this.received = zeros()
    this.failed = zeros()
    this.duplicates = zeros()
    this.throttled = zeros()
    this.handler = { ok: zeros(), rejected: zeros(), noResponse: zeros() }
    this.delays = at.map(() => new Map())
    this.responses = at.map(() => new Map())
    this.#up = zeros()
    this.#tunnelDown = zeros()
    this.#relayDown = zeros()
  }

  #indexOf(at: number): number {
    if (this.#days) {
      // Many rows begin at the same time, and the calendar is slow.
      const known = this.#known.get(at) ?? this.#days.get(dayStart(at)) ?? -1
      this.#known.set(at, known)
      return known
    }
    return at >= this.#to ? -1 : Math.floor((at - (this.#at[0] ?? 0)) / this.#bucket)
  }

  addPresence({ at, counts }: RollupRow, metrics: Rollup['metrics']): void {
    const index = this.#indexOf(at)
    if (index < 0) return
    for (const [id, count] of counts) {
      const name = metrics.get(id)
      if (name === metric.up) increase(this.#up, index, count)
      else if (name === metric.tunnelDown) increase(this.#tunnelDown, index, count)
      else if (name === metric.relayDown) increase(this.#relayDown, index, count)
    }
  }

  add(
    { at, received, counts }: RollupRow,
    series: Series,
    metrics: Rollup['metrics'],
    by: HealthGrouping,
  ): void {
    const index = this.#indexOf(at)
    if (index < 0) return
    increase(this.received, index, received)
    const before = this.failed[index] ?? 0
    for (const [id, count] of counts) {
      let name = this.#names.get(id)
      if (!name) this.#names.set(id, (name = splitName(metrics.get(id) ?? '')))
      this.#addCount(name, index, count)
    }
    if (received === 0) return
    const group = this.#groupOf(keyOf(series, by))
    group.total += received
    group.failed += (this.failed[index] ?? 0) - before
    group.lastAt = Math.max(group.lastAt ?? 0, at * 60_000)
    increase(group.received, index, received)
  }

  #addCount([kind, which]: readonly [string, string], index: number, count: number): void {
    switch (kind) {
      case 'invalid':
      case 'missing':
        return increase(this.failed, index, count)
      case metric.duplicate:
        return increase(this.duplicates, index, count)
      case metric.throttled:
        return increase(this.throttled, index, count)
      case 'cause':
        return void this.causes.set(which, (this.causes.get(which) ?? 0) + count)
      case 'finding':
        return void this.findings.set(which, (this.findings.get(which) ?? 0) + count)
      case 'delay':
        addTo(this.delays[index] ?? new Map(), Number(which), count)
        return addTo(this.allDelays, Number(which), count)
      case 'response':
        addTo(this.responses[index] ?? new Map(), Number(which), count)
        return addTo(this.allResponses, Number(which), count)
      case 'handler':
      case 'manual': {
        const { ok, rejected, noResponse } = this.handler
        return increase(
          which === 'ok' ? ok : which === 'none' ? noResponse : rejected,
          index,
          count,
        )
      }
    }
  }

  #groupOf(key: string): Group {
    const known = this.groups.get(key)
    if (known) return known
    const group = { key, total: 0, failed: 0, lastAt: null, received: this.#at.map(() => 0) }
    this.groups.set(key, group)
    return group
  }

  /** Shares. Before the first count, nothing is known. */
  down(countedFrom: number | null, now: number): HealthOverview['down'] {
    const lengths = this.#at.map((start, index) => {
      const end = Math.min(this.#at[index + 1] ?? this.#to, now)
      return Math.max(0, end - Math.max(start, countedFrom ?? now))
    })
    const share = (minutes: number, index: number): number => {
      const length = lengths[index] ?? 0
      return length === 0 ? 0 : Math.min(1, minutes / length)
    }
    return {
      tabscope: this.#up.map((minutes, index) =>
        share(Math.max(0, (lengths[index] ?? 0) - minutes), index),
      ),
      tunnel: this.#tunnelDown.map(share),
      relay: this.#relayDown.map(share),
    }
  }
}

function splitName(name: string): readonly [kind: string, which: string] {
  const at = name.indexOf(':')
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)]
}

function increase(counts: number[], index: number, by: number): void {
  counts[index] = (counts[index] ?? 0) + by
}

function keyOf({ endpointId, location, type }: Series, by: HealthGrouping): string {
  if (by === 'location') return location
  if (by === 'type') return type
  return endpointId === 0 ? '' : String(endpointId)
}

function percentiles(histograms: readonly Histogram[]): HealthOverview['delay'] {
  const of = (share: number) => histograms.map((each) => percentileOf(each, share))
  return { p50: of(0.5), p90: of(0.9), p99: of(0.99) }
}

function counted(counts: ReadonlyMap<string, number>): { code: string; count: number }[] {
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count)
}

function groupsOf(groups: readonly Group[]): HealthOverview['groups'] {
  const sorted = groups.toSorted((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1))
  const shown = sorted.slice(0, maxGroups).map((group) => ({ ...group, others: false }))
  const [first, ...rest] = sorted.slice(maxGroups)
  if (!first) return shown
  const others = rest.reduce(
    (sum, group) => ({
      key: '',
      total: sum.total + group.total,
      failed: sum.failed + group.failed,
      lastAt: Math.max(sum.lastAt ?? 0, group.lastAt ?? 0),
      received: sum.received.map((count, index) => count + (group.received[index] ?? 0)),
    }),
    { ...first, key: '' },
  )
  return [...shown, { ...others, others: true }]
}

/** For each bucket, the median of the like hours before, or of the like days; a part of it for a shorter bucket. */
function usualOf(
  rollup: Rollup,
  at: readonly number[],
  bucket: number,
  now: number,
): (number | null)[] {
  const isDays = bucket === day
  const known = new Map<number, number | null>()
  const usual = (start: number): number | null => {
    let value = known.get(start)
    if (value === undefined) {
      const like = likeTimes(start).flatMap((before) => {
        const received = rollup.received.get(before) ?? 0
        const least = isDays ? minutesUp * 12 : minutesUp
        return received > 0 || (rollup.up.get(before) ?? 0) >= least ? [received] : []
      })
      value = like.length < likeHoursNeeded ? null : medianOf(like)
      known.set(start, value)
    }
    return value
  }
  return at.map((start) => {
    const value = usual(isDays ? start : hourStart(start))
    if (value === null) return null
    const length = isDays ? day : hour
    const elapsed = Math.min(length, Math.max(1, minuteOf(now) - start + 1))
    const part = bucket >= hour ? elapsed / length : bucket / length
    return Math.round(value * part * 10) / 10
  })
}

/** The same time of the weeks before. */
export function likeTimes(at: number): number[] {
  return Array.from({ length: likeWeeks }, (_, index) => weeksBefore(at, index + 1))
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** How long before a range its like hours begin, in minutes. */
export const likeBefore = likeWeeks * week + day
