import { eventTypes } from '#catalogue/catalogue.ts'
import type {
  Alert,
  HandlerCoverage,
  HealthAlerts,
  HealthOverview,
  HealthRule,
} from '#contract/health.ts'

const bucketMinutes = { hour: 1, day: 5, week: 60, month: 60, year: 1440 } as const
const buckets = { hour: 60, day: 288, week: 168, month: 720, year: 365 } as const

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}

/** Evenings at two locations, with a gap whose reason is a closed tunnel, failures after it, and slow deliveries. `now` is the end. */
export function sampleOverview(range: keyof typeof buckets, now: number): HealthOverview {
  const minutes = bucketMinutes[range]
  const length = minutes * 60_000
  const count = buckets[range]
  const to = (Math.floor(now / length) + 1) * length
  const at = Array.from({ length: count }, (_, index) => to - (count - index) * length)
  const gap = (index: number): boolean => index >= count * 0.6 && index < count * 0.66
  const late = (index: number): boolean => index >= count * 0.66 && index < count * 0.72
  const usual = at.map((time, index) => {
    const hour = new Date(time).getHours()
    const evening = hour >= 17 || hour < 1 ? 1 : hour >= 11 ? 0.3 : 0
    const base = range === 'year' ? 1 : range === 'hour' ? 0.6 : evening
    return Math.round(base * minutes * 2.2 * (1 + 0.25 * Math.sin(index / 3)))
  })
  const received = usual.map((value, index) =>
    gap(index) ? 0 : Math.max(0, value + ((index * 7) % 5) - 2),
  )
  const failed = received.map((value, index) => (late(index) ? Math.ceil(value * 0.4) : 0))
  const per = (value: number, spread: number) =>
    received.map((all, index) =>
      all === 0 ? null : value * (late(index) ? spread : 1) * (1 + ((index * 13) % 7) / 10),
    )
  const none = at.map(() => 0)
  const group = (key: string, share: number, others = false) => ({
    key,
    others,
    total: Math.round(sum(received) * share),
    received: received.map((value) => Math.round(value * share)),
    failed: Math.round(sum(failed) * share * share),
    lastAt: now - 40_000 / share,
  })
  return {
    from: at[0] ?? 0,
    to,
    bucketMinutes: minutes,
    at,
    received,
    usual,
    failed,
    handler: {
      ok: received.map((value, index) => value - (failed[index] ?? 0)),
      rejected: failed.map((value) => Math.floor(value / 2)),
      noResponse: failed.map((value) => Math.floor(value / 3)),
    },
    delay: { p50: per(420, 40), p90: per(900, 60) },
    response: { p50: per(18, 2), p90: per(45, 3) },
    down: { tabscope: none, tunnel: at.map((_, index) => (gap(index) ? 1 : 0)), relay: none },
    groups: [group('1', 0.7), group('', 0.2), { ...group('', 0.1, true) }],
    endpoints: [],
    total: {
      received: sum(received),
      usual: sum(usual),
      delay: { p50: 430, p90: 38_000 },
      response: { p50: 19, p90: 410 },
    },
    alerts: [
      silence(now),
      {
        ...silence(now),
        id: 2,
        kind: 'delay',
        location: null,
        endedAt: now - 7_200_000,
        usual: 800,
        observed: 34_000,
      },
    ],
    countedFrom: now - 40 * 86_400_000,
  }
}

function silence(now: number): Alert {
  return {
    id: 1,
    kind: 'silence',
    endpointId: 1,
    location: 'Pier 9',
    code: null,
    since: now - 46 * 60_000,
    raisedAt: now - 16 * 60_000,
    endedAt: null,
    usual: 38,
    observed: 0,
  }
}

export function sampleAlerts(now: number): HealthAlerts {
  const rule: HealthRule = {
    endpointId: 1,
    silenceMinutes: 30,
    failurePercent: 20,
    delaySeconds: 60,
    newCauses: true,
    snoozedUntil: null,
  }
  return {
    alerts: [
      silence(now),
      { ...silence(now), id: 3, kind: 'handler', location: null, usual: 0.02, observed: 0.41 },
    ],
    rules: [rule],
    learned: [{ endpointId: 1, hours: 1 }],
  }
}

export function sampleCoverage(now: number): HandlerCoverage[] {
  return [
    {
      url: 'http://127.0.0.1:3000/webhooks',
      endpointId: 1,
      types: eventTypes.map(({ type }, index) => ({
        type,
        sent: index % 3 === 2 ? 0 : 40 * (index + 1),
        last:
          index % 3 === 2
            ? null
            : {
                attemptId: index + 1,
                deliveryId: index + 1,
                at: now - index * 4_000_000,
                status: index === 4 ? null : index === 3 ? 503 : 200,
                error: index === 4 ? 'No response within 10 s.' : null,
              },
      })),
    },
  ]
}
