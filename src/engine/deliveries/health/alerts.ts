import { likeHoursNeeded } from '#contract/constants.ts'
import type { Alert, HealthRule } from '#contract/health.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import {
  addCounts,
  countColumns,
  countOf,
  noCounts,
  percentileOf,
  readSeries,
  timesCounted,
  type Counts,
} from './counts.ts'
import { day, hour, hourStart, likeBefore, likeTimes, minuteOf } from './local-time.ts'
import { medianOf, minutesUp } from './overview.ts'
import { readRunning, runningBetween, type Running } from './running.ts'

export const defaultRule: Omit<HealthRule, 'endpointId'> = {
  silenceMinutes: 15,
  failurePercent: 10,
  delaySeconds: 60,
  newCauses: true,
  snoozedUntil: null,
}

/** What holds now; an alert without its history. */
export type Condition = Pick<
  Alert,
  'kind' | 'endpointId' | 'location' | 'code' | 'since' | 'usual' | 'observed'
>

export interface AlertQuery {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Of each endpoint. */
  readonly rules: readonly HealthRule[]
  /** That hold, so that they end later than they begin. */
  readonly active: readonly Alert[]
}

export interface AlertFacts {
  readonly conditions: readonly Condition[]
  readonly learned: { readonly endpointId: number; readonly hours: number }[]
  /** Nothing else can be found before, unless something arrives or the rules change. */
  readonly settledUntil: number
}

/** Usually active minutes that passed without a delivery: so many, since the deliveries of a table come and go together. */
const silentMinutes = 30
const silenceLooksBack = 2 * day
/** Active minutes of an hour below which it is usually closed. What was expected before is not expected after it. */
const closedBelow = 2
/** Below these, a rise may be chance. */
const least = { failed: 5, like: 10, delays: 10, deviations: 5, times: 3 } as const
/** A condition ends when it is this much below its threshold. */
const endsBelow = 0.5
const causeMs = 86_400_000

interface Activity {
  received: number
  /** A bit for each minute with a delivery. */
  firstHalf: number
  secondHalf: number
}

interface EndpointCounts extends Activity {
  readonly counts: number[]
  readonly locations: Map<string, Activity>
}

const noActivity: Readonly<Activity> = { received: 0, firstHalf: 0, secondHalf: 0 }

function noEndpointCounts(): EndpointCounts {
  return { ...noActivity, counts: noCounts(), locations: new Map() }
}

function add(to: Activity, { received, firstHalf, secondHalf }: Activity): void {
  to.received += received
  to.firstHalf |= firstHalf
  to.secondHalf |= secondHalf
}

function activeMinutes({ firstHalf, secondHalf }: Activity): number {
  let minutes = 0
  for (const half of [firstHalf, secondHalf]) {
    for (let bits = half; bits > 0; bits &= bits - 1) minutes += 1
  }
  return minutes
}

type Endpoints = ReadonlyMap<number, EndpointCounts>

function readCounts(
  db: Db,
  table: 'health_minute' | 'health_hour',
  from: number,
  to: number,
): Endpoints {
  const rows = prepare<[number, number], [number, string, number, number, ...number[]]>(
    db,
    // A series has one row in an hour, so the maximum is its value.
    `SELECT endpoint_id, location, max(first_half), max(second_half),
       ${countColumns.map((column) => `sum(${column})`).join()}
     FROM ${table} JOIN health_series ON id = series_id WHERE at >= ? AND at < ? GROUP BY series_id`,
  )
  const endpoints = new Map<number, EndpointCounts>()
  for (const row of rows.raw().all(from, to)) {
    const [endpointId, name, firstHalf, secondHalf, ...counts] = row
    const endpoint = endpoints.get(endpointId) ?? noEndpointCounts()
    endpoints.set(endpointId, endpoint)
    const location = endpoint.locations.get(name) ?? { ...noActivity }
    endpoint.locations.set(name, location)
    const activity = { received: countOf(counts, 'received'), firstHalf, secondHalf }
    add(endpoint, activity)
    add(location, activity)
    addCounts(endpoint.counts, counts)
  }
  return endpoints
}

interface Usual {
  readonly received: number
  /** Minutes of an hour. */
  readonly active: number
}

export type AlertCheck = (query: AlertQuery) => AlertFacts

/** Checks the counts of a store, once a minute. Hours of the weeks before do not change, so they are read once. */
export function createAlertCheck(db: Db): AlertCheck {
  const hours = new Map<number, Endpoints>()
  return (query) => {
    if (hours.size > 3000) hours.clear()
    return new Check(db, hours, query).find()
  }
}

class Check {
  readonly #db: Db
  readonly #hours: Map<number, Endpoints>
  readonly #now: number
  /** `now` in minutes. */
  readonly #minute: number
  readonly #rules: readonly HealthRule[]
  readonly #active: readonly Alert[]
  readonly #lastHour: Endpoints
  readonly #running: readonly Running[]
  readonly #series: ReturnType<typeof readSeries>
  readonly #usual = new Map<string, Usual>()

  constructor(db: Db, hours: Map<number, Endpoints>, { now, rules, active }: AlertQuery) {
    this.#db = db
    this.#hours = hours
    this.#now = now
    this.#minute = minuteOf(now)
    this.#rules = rules
    this.#active = active
    this.#lastHour = readCounts(db, 'health_minute', this.#minute - hour + 1, this.#minute + 1)
    this.#running = readRunning(db, (this.#minute - likeBefore - silenceLooksBack) * 60_000, now)
    this.#series = readSeries(db)
  }

  find(): AlertFacts {
    const found = this.#rules.map((rule) => {
      const { endpointId } = rule
      const like = this.#likeHours(this.#minute, endpointId)
      const isLearned = like.length >= likeHoursNeeded
      const current = (this.#lastHour.get(endpointId) ?? noEndpointCounts()).counts
      const likeCounts = like.map(({ counts }) => counts)
      const conditions = [
        ...(isLearned ? this.#silences(rule) : []),
        ...this.#rises(rule, current, likeCounts),
        ...(isLearned ? this.#delays(rule, current, likeCounts) : []),
        ...this.#newCauses(rule),
      ]
      return { conditions, learned: { endpointId, hours: like.length } }
    })
    const conditions = found.flatMap(({ conditions }) => conditions)
    return {
      conditions,
      learned: found.map(({ learned }) => learned),
      settledUntil: this.#settledUntil(conditions),
    }
  }

  /** Until the next hour, if none arrived in the last one and none is usual in this one. */
  #settledUntil(conditions: readonly Condition[]): number {
    const isSettled =
      conditions.length === 0 &&
      this.#active.length === 0 &&
      this.#lastHour.size === 0 &&
      this.#rules.every(
        ({ endpointId }) => this.#usualAt(this.#minute, endpointId, null).active < closedBelow,
      )
    return isSettled ? (hourStart(this.#minute) + hour) * 60_000 : this.#now
  }

  #likeHours(at: number, endpointId: number): EndpointCounts[] {
    return likeTimes(hourStart(at)).flatMap((start) => {
      let endpoints = this.#hours.get(start)
      if (!endpoints) {
        endpoints = readCounts(this.#db, 'health_hour', start, start + hour)
        this.#hours.set(start, endpoints)
      }
      const counts = endpoints.get(endpointId)
      if (counts) return [counts]
      const ran = runningBetween(this.#running, start * 60_000, (start + hour) * 60_000)
      return ran >= minutesUp * 60_000 ? [noEndpointCounts()] : []
    })
  }

  #usualAt(at: number, endpointId: number, location: string | null): Usual {
    const start = hourStart(at)
    const key = `${start} ${endpointId} ${location ?? '\n'}`
    let usual = this.#usual.get(key)
    if (!usual) {
      const like = this.#likeHours(start, endpointId).map((counts) =>
        location === null ? counts : (counts.locations.get(location) ?? noActivity),
      )
      const isKnown = like.length >= likeHoursNeeded
      usual = {
        received: isKnown ? medianOf(like.map(({ received }) => received)) : 0,
        active: isKnown ? medianOf(like.map(activeMinutes)) : 0,
      }
      this.#usual.set(key, usual)
    }
    return usual
  }

  #isActive(kind: Alert['kind'], endpointId: number): boolean {
    return this.#active.some((alert) => alert.endpointId === endpointId && alert.kind === kind)
  }

  #silences(rule: HealthRule): Condition[] {
    const { endpointId, silenceMinutes } = rule
    if (silenceMinutes === null) return []
    const names = this.#series
      .filter((series) => series.endpointId === endpointId)
      .map(({ location }) => location)
    const locations = [...new Set(names)].filter((name) => name !== '' && name !== '*')
    const only = locations.length === 1 ? (locations[0] ?? null) : null
    // The only location stands for the endpoint.
    const ofAll = this.#silence(endpointId, silenceMinutes, { location: null, named: only })
    if (ofAll) return [ofAll]
    if (locations.length < 2) return []
    return locations.flatMap(
      (location) => this.#silence(endpointId, silenceMinutes, { location, named: location }) ?? [],
    )
  }

  #silence(
    endpointId: number,
    silenceMinutes: number,
    { location, named }: { location: string | null; named: string | null },
  ): Condition | null {
    const now = this.#minute
    const usualAt = (at: number): Usual => this.#usualAt(at, endpointId, location)
    const isHeld = this.#active.some(
      (alert) =>
        alert.endpointId === endpointId && alert.kind === 'silence' && alert.location === named,
    )
    if (!isHeld && usualAt(now).active < closedBelow) return null
    const last = this.#lastOf(endpointId, location)
    if (last === null || now - last < silenceMinutes) return null
    const from = Math.max(last + 1, hourStart(now - silenceLooksBack))
    const covered = this.#coveredMinutes(endpointId, from)
    if (covered.at(-1) !== now || covered.length < silenceMinutes) return null
    if (!isHeld && expectedIn(covered, usualAt) < silentMinutes) return null
    return {
      kind: 'silence',
      endpointId,
      location: named,
      code: null,
      since: last * 60_000,
      usual: Math.max(usualAt(now).received, usualAt(last).received),
      observed: 0,
    }
  }

  #lastOf(endpointId: number, location: string | null): number | null {
    const ids = this.#series
      .filter(
        (series) =>
          series.endpointId === endpointId && (location === null || series.location === location),
      )
      .map(({ id }) => id)
    for (const table of ['health_minute', 'health_hour']) {
      const row = prepare<[number, string], { at: number }>(
        this.#db,
        `SELECT at FROM ${table} WHERE at <= ? AND received > 0 AND series_id IN (SELECT value FROM json_each(?))
         ORDER BY at DESC LIMIT 1`,
      ).get(this.#minute, JSON.stringify(ids))
      if (row) return row.at
    }
    return null
  }

  /** In which a delivery could have arrived the way they usually do, until now. */
  #coveredMinutes(endpointId: number, from: number): number[] {
    const like = noCounts()
    for (const { counts } of this.#likeHours(this.#minute, endpointId)) addCounts(like, counts)
    const received = countOf(like, 'received')
    const needsTunnel = countOf(like, 'via_tunnel') * 2 > received
    const needsRelay = countOf(like, 'via_relay') * 2 > received
    const covered = new Set<number>()
    for (const { since, until, tunnel, relayDown } of this.#running) {
      if ((needsTunnel && tunnel !== 'open') || (needsRelay && relayDown === 1)) continue
      const last = Math.min(minuteOf(until), this.#minute)
      for (let at = Math.max(from, minuteOf(since)); at <= last; at += 1) covered.add(at)
    }
    return [...covered].toSorted((a, b) => a - b)
  }

  #rises(
    { endpointId, failurePercent }: HealthRule,
    current: Counts,
    like: readonly Counts[],
  ): Condition[] {
    if (failurePercent === null) return []
    const kinds = [
      { kind: 'signatures', failed: 'failed', total: 'received' },
      { kind: 'handler', failed: 'forward_failed', total: 'forwarded' },
    ] as const
    const sumOf = (column: string): number =>
      like.reduce((sum, counts) => sum + countOf(counts, column), 0)
    return kinds.flatMap(({ kind, failed, total }) => {
      const holds = this.#isActive(kind, endpointId)
      const [count, all, likeAll] = [
        countOf(current, failed),
        countOf(current, total),
        sumOf(total),
      ]
      if (count < least.failed * (holds ? endsBelow : 1)) return []
      const isQuiet = likeAll < least.like
      if (isQuiet && like.length >= likeHoursNeeded) return []
      // Until it is known, nothing fails usually.
      const usual = isQuiet ? 0 : sumOf(failed) / likeAll
      const observed = count / all
      if (!isRise(observed, usual, all, failurePercent / 100, holds)) return []
      return [this.#condition(kind, endpointId, usual, observed)]
    })
  }

  #delays(
    { endpointId, delaySeconds }: HealthRule,
    current: Counts,
    like: readonly Counts[],
  ): Condition[] {
    if (delaySeconds === null) return []
    const observed = percentileOf(current, 'delay', 0.5)
    const usual = medianOf(like.flatMap((counts) => percentileOf(counts, 'delay', 0.5) ?? []))
    const holds = this.#isActive('delay', endpointId)
    if (observed === null || Number.isNaN(usual)) return []
    if (timesCounted(current, 'delay') < least.delays) return []
    if (observed < delaySeconds * 1000 * (holds ? endsBelow : 1)) return []
    if (!holds && observed < usual * least.times) return []
    return [this.#condition('delay', endpointId, usual, observed)]
  }

  #newCauses({ endpointId, newCauses }: HealthRule): Condition[] {
    if (!newCauses) return []
    return prepare<[number, number], { code: string; since: number; observed: number }>(
      this.#db,
      `SELECT code, first_ms AS since, deliveries AS observed FROM health_cause
       WHERE endpoint_id = ? AND first_ms > ? AND deliveries > 0 ORDER BY first_ms`,
    )
      .all(endpointId, this.#now - causeMs)
      .map((cause) => ({ ...cause, kind: 'cause', endpointId, location: null, usual: 0 }))
  }

  #condition(kind: Alert['kind'], endpointId: number, usual: number, observed: number): Condition {
    return { kind, endpointId, location: null, code: null, since: this.#now, usual, observed }
  }
}

/** Active minutes, since the last hour that is usually closed. */
function expectedIn(minutes: readonly number[], usualAt: (at: number) => Usual): number {
  return minutes.reduce((sum, at) => {
    const { active } = usualAt(at)
    return active < closedBelow ? 0 : sum + active / hour
  }, 0)
}

/** More than chance explains, and not only a little more than usual. */
function isRise(
  observed: number,
  usual: number,
  count: number,
  threshold: number,
  holds: boolean,
): boolean {
  if (holds) return observed >= threshold * endsBelow && observed > usual
  const deviation = Math.sqrt(Math.max(usual * (1 - usual), 0.001) / count)
  return (
    observed >= threshold &&
    observed >= usual * least.times &&
    observed - usual >= deviation * least.deviations
  )
}
