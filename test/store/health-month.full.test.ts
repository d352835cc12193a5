import { afterEach, describe, expect, it } from 'vitest'
import type { Alert } from '#contract/health.ts'
import { simulate, simulatedTraffic, type Incident } from '#test/support/simulated-month.ts'
import { storeWith } from '#test/support/test-store.ts'

const ownZone = process.env.TZ
afterEach(() => {
  if (ownZone === undefined) delete process.env.TZ
  else process.env.TZ = ownZone
})

const at = (date: string): Date => new Date(`2026-${date}`)

/** Three weeks to learn, then two with incidents. Clocks change on 25 October in Berlin, and on 1 November in New York. */
function incidents(): Incident[] {
  let count = 0
  return [
    // Closed on a holiday, before enough is known.
    { from: at('10-12T04:00'), to: at('10-13T04:00'), change: () => undefined },
    {
      from: at('10-27T19:00'),
      to: at('10-27T20:00'),
      change: (delivery) =>
        (count += 1) % 5 < 2 ? { ...delivery, verdict: 'invalid', cause: 'body.pretty' } : delivery,
    },
    {
      from: at('10-28T19:00'),
      to: at('10-28T21:00'),
      change: (delivery) => ({ ...delivery, createdAt: (delivery.createdAt ?? 0) - 300_000 }),
    },
    {
      from: at('10-29T18:00'),
      to: at('10-29T22:00'),
      change: (delivery) => (delivery.locationName === 'Pier 9' ? undefined : delivery),
    },
    { from: at('10-31T19:00'), to: at('10-31T21:00'), change: () => undefined },
    // The same holiday again: nobody told Tabscope.
    { from: at('11-02T04:00'), to: at('11-03T04:00'), change: () => undefined },
  ]
}

const outages = () =>
  [
    { from: at('11-04T18:00'), to: at('11-04T22:00'), what: 'tunnel_closed' },
    { from: at('11-06T10:00'), to: at('11-06T20:00'), what: 'off' },
  ] as const

const local = (time: number): string => {
  const date = new Date(time)
  return `${date.getMonth() + 1}-${date.getDate()} ${date.getHours()} h`
}

const described = ({ kind, location, code, since, raisedAt, endedAt }: Alert) => ({
  kind,
  about: code ?? location,
  since: local(since),
  raised: local(raisedAt),
  ended: endedAt === null ? null : local(endedAt),
})

/** Each incident once, and nothing else: not before enough is known, not while the tunnel is closed or Tabscope is off, not after either. */
const expected = [
  {
    kind: 'signatures',
    about: null,
    since: '10-27 19 h',
    raised: '10-27 19 h',
    ended: '10-27 21 h',
  },
  {
    kind: 'cause',
    about: 'body.pretty',
    since: '10-27 19 h',
    raised: '10-27 19 h',
    ended: '10-28 19 h',
  },
  { kind: 'delay', about: null, since: '10-28 19 h', raised: '10-28 19 h', ended: '10-28 21 h' },
  {
    kind: 'silence',
    about: 'Pier 9',
    since: '10-29 17 h',
    raised: '10-29 19 h',
    ended: '10-29 22 h',
  },
  { kind: 'silence', about: null, since: '10-31 18 h', raised: '10-31 19 h', ended: '10-31 21 h' },
  { kind: 'silence', about: null, since: '11-2 0 h', raised: '11-2 13 h', ended: '11-3 11 h' },
]

describe('alerts of a simulated month', () => {
  it.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])(
    'in %s',
    (zone) => {
      process.env.TZ = zone
      const { db } = storeWith()
      db.pragma('synchronous = OFF')
      const alerts = simulate({
        db,
        deliveries: simulatedTraffic(at('10-05T00:00'), 35, 7),
        incidents: incidents(),
        outages: outages(),
        from: at('10-05T00:00'),
        to: at('11-09T00:00'),
        checkEvery: 30,
      })
      expect(alerts.map(described)).toEqual(expected)
    },
    120_000,
  )

  it('ends the silence of an only location with its next delivery, not when it usually closes', () => {
    process.env.TZ = 'Europe/Berlin'
    const { db } = storeWith()
    db.pragma('synchronous = OFF')
    const from = at('10-05T00:00')
    const alerts = simulate({
      db,
      deliveries: simulatedTraffic(from, 26, 7).filter((each) => each.locationName === 'Pier 9'),
      incidents: [{ from: at('10-29T21:00'), to: at('10-30T13:00'), change: () => undefined }],
      outages: [],
      from,
      to: at('10-31T00:00'),
      checkEvery: 30,
    })
    expect(alerts.map(described)).toEqual([
      {
        kind: 'silence',
        about: 'Pier 9',
        since: '10-29 20 h',
        raised: '10-29 22 h',
        ended: '10-30 13 h',
      },
    ])
  }, 120_000)
})
