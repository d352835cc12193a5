import type { Alert, HealthRule } from '#contract/health.ts'
import { likeHoursNeeded } from '#contract/constants.ts'
import {
  noActivity,
  noCounts,
  type ActivityCounts,
  type EndpointCounts,
  type EndpointHours,
} from './endpoint-hours.ts'
import { hour, hourStart, keep, minuteOf } from './local-time.ts'
import { metric, percentileOf } from './metrics.ts'
import { likeTimes, medianOf, minutesUp } from './overview.ts'

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
}

/** Usually active minutes that passed without a delivery: so many, since the deliveries of a table come and go together. */
const silentMinutes = 30
/** Active minutes of an hour below which it is usually closed. What was expected before is not expected after it. */
const closedBelow = 2
/** Below these, a rise may be chance. */
const least = { failed: 5, like: 10, delays: 10, deviations: 5, times: 3 } as const
/** A condition ends when it is this much below its threshold. */
const endsBelow = 0.5
const causeMinutes = 24 * hour

export function findConditions(
  hours: EndpointHours,
  { now, rules, active }: AlertQuery,
): AlertFacts {
  hours.reload()
  const minute = minuteOf(now)
  const lastHour = hours.minutes(minute - hour + 1, minute + 1)
  const firstCauses = hours.firstCauses(minute - hour + 1, minute + 1)
  const found = rules.map((rule) => {
    const like = likeHours(hours, minute, rule.endpointId)
    const current = lastHour.endpoints.get(rule.endpointId) ?? noCounts()
    const isActive = (kind: Alert['kind']): boolean =>
      active.some((alert) => alert.endpointId === rule.endpointId && alert.kind === kind)
    const isLearned = like.length >= likeHoursNeeded
    const conditions = [
      ...(isLearned ? silences(hours, rule, minute, active) : []),
      ...(isLearned ? rises(rule, current, like, now, isActive) : []),
      ...(isLearned ? delays(rule, current, like, now, isActive) : []),
      ...newCauses(rule, firstCauses.get(rule.endpointId), current, minute).filter(
        ({ code }) => isLearned || active.some((alert) => alert.code === code),
      ),
    ]
    return { conditions, learned: { endpointId: rule.endpointId, hours: like.length } }
  })
  return {
    conditions: found.flatMap(({ conditions }) => conditions),
    learned: found.map(({ learned }) => learned),
  }
}

/** Of the weeks before, those in which Tabscope could receive. */
function likeHours(hours: EndpointHours, at: number, endpointId: number): EndpointCounts[] {
  return likeTimes(hourStart(at)).flatMap((before) => {
    const { up, endpoints } = hours.hour(before)
    const counts = endpoints.get(endpointId)
    if (up < minutesUp && !counts) return []
    return [counts ?? noCounts()]
  })
}

function silences(
  hours: EndpointHours,
  { endpointId, silenceMinutes }: HealthRule,
  now: number,
  active: readonly Alert[],
): Condition[] {
  if (silenceMinutes === null) return []
  const usual = usualHours(hours, endpointId)
  const locations = hours.locations(endpointId)
  const silent = (location: string | null): Condition | null => {
    // The only location stands for the endpoint.
    const named = location === null && locations.length === 1 ? (locations[0] ?? null) : location
    const held = active.some(
      (alert) =>
        alert.endpointId === endpointId && alert.kind === 'silence' && alert.location === named,
    )
    if (!held && usual(now, location).active < closedBelow) return null
    const last = hours.lastOf(endpointId, location)
    if (last === null || now - last < silenceMinutes) return null
    const from = Math.max(last + 1, hourStart(now - keep.minutes))
    const covered = coveredMinutes(hours, endpointId, from, now)
    if (covered.at(-1) !== now || covered.length < silenceMinutes) return null
    if (!held && expectedIn(covered, (at) => usual(at, location)) < silentMinutes) return null
    const received = Math.max(usual(now, location).received, usual(last, location).received)
    return {
      kind: 'silence',
      endpointId,
      location: named,
      code: null,
      since: last * 60_000,
      usual: received,
      observed: 0,
    }
  }
  const ofAll = silent(null)
  if (ofAll) return [ofAll]
  return locations.length < 2 ? [] : locations.flatMap((location) => silent(location) ?? [])
}

/** Active minutes, since the last hour that is usually closed. */
function expectedIn(minutes: readonly number[], usual: (at: number) => ActivityCounts): number {
  return minutes.reduce((sum, at) => {
    const { active } = usual(at)
    return active < closedBelow ? 0 : sum + active / hour
  }, 0)
}

/** Medians of the like hours; zeros if they are fewer than three. */
function usualHours(hours: EndpointHours, endpointId: number) {
  const known = new Map<string, ActivityCounts>()
  const usual = (at: number, location: string | null): ActivityCounts => {
    const start = hourStart(at)
    const key = `${start} ${location ?? '\n'}`
    let value = known.get(key)
    if (!value) {
      const like = likeHours(hours, start, endpointId).map((counts) =>
        location === null ? counts : (counts.locations.get(location) ?? noActivity),
      )
      value =
        like.length < likeHoursNeeded
          ? noActivity
          : {
              received: medianOf(like.map(({ received }) => received)),
              active: medianOf(like.map(({ active }) => active)),
            }
      known.set(key, value)
    }
    return value
  }
  return usual
}

/** In which a delivery could have arrived the way they usually do. */
function coveredMinutes(
  hours: EndpointHours,
  endpointId: number,
  from: number,
  to: number,
): number[] {
  const like = likeHours(hours, to, endpointId)
  const sum = (of: (counts: EndpointCounts) => number): number =>
    like.reduce((total, counts) => total + of(counts), 0)
  const received = sum((counts) => counts.received)
  const needsTunnel = sum((counts) => counts.viaTunnel) * 2 > received
  const needsRelay = sum((counts) => counts.viaRelay) * 2 > received
  return [...hours.presence(from, to + 1)]
    .filter(
      ([, names]) =>
        names.has(metric.up) &&
        !(needsTunnel && names.has(metric.tunnelClosed)) &&
        !(needsRelay && names.has(metric.relayDown)),
    )
    .map(([at]) => at)
}

type IsActive = (kind: Alert['kind']) => boolean

function rises(
  { endpointId, failurePercent }: HealthRule,
  current: EndpointCounts,
  like: readonly EndpointCounts[],
  now: number,
  isActive: IsActive,
): Condition[] {
  if (failurePercent === null) return []
  const kinds = [
    {
      kind: 'signatures',
      failed: (of: EndpointCounts) => of.invalid,
      total: (of: EndpointCounts) => of.received,
    },
    {
      kind: 'handler',
      failed: (of: EndpointCounts) => of.handlerFailed,
      total: (of: EndpointCounts) => of.handlerTotal,
    },
  ] as const
  return kinds.flatMap(({ kind, failed, total }) => {
    const [count, all] = [failed(current), total(current)]
    const likeAll = like.reduce((sum, counts) => sum + total(counts), 0)
    if (count < least.failed * (isActive(kind) ? endsBelow : 1) || likeAll < least.like) return []
    const usual = like.reduce((sum, counts) => sum + failed(counts), 0) / likeAll
    const observed = count / all
    if (!isRise(observed, usual, all, failurePercent / 100, isActive(kind))) return []
    return [{ kind, endpointId, location: null, code: null, since: now, usual, observed }]
  })
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

function delays(
  { endpointId, delaySeconds }: HealthRule,
  current: EndpointCounts,
  like: readonly EndpointCounts[],
  now: number,
  isActive: IsActive,
): Condition[] {
  if (delaySeconds === null) return []
  const count = [...current.delays.values()].reduce((sum, each) => sum + each, 0)
  const observed = percentileOf(current.delays, 0.5)
  const usual = medianOf(like.flatMap(({ delays: each }) => percentileOf(each, 0.5) ?? []))
  const holds = isActive('delay')
  if (observed === null || Number.isNaN(usual) || count < least.delays) return []
  if (observed < delaySeconds * 1000 * (holds ? endsBelow : 1)) return []
  if (!holds && observed < usual * least.times) return []
  return [{ kind: 'delay', endpointId, location: null, code: null, since: now, usual, observed }]
}

function newCauses(
  { endpointId, newCauses: isOn }: HealthRule,
  firstCauses: ReadonlyMap<string, number> | undefined,
  current: EndpointCounts,
  now: number,
): Condition[] {
  if (!isOn) return []
  return [...(firstCauses ?? [])]
    .filter(([, first]) => now - first < causeMinutes)
    .map(([code, first]) => ({
      kind: 'cause',
      endpointId,
      location: null,
      code,
      since: first * 60_000,
      usual: 0,
      observed: Math.max(1, current.causes.get(code) ?? 0),
    }))
}
