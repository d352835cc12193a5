import { expect, it } from 'vitest'
import { Rollups } from '#engine/health/rollups.ts'
import { simulatedTraffic, simulate } from '#test/support/simulated-month.ts'
import { storeWith } from '#test/support/test-store.ts'

it('scratch', () => {
  for (const zone of ['Europe/Berlin']) {
  process.env.TZ = zone
  const { db } = storeWith()
  let now = 0
  const rollups = new Rollups(db, () => now)
  const from = new Date(2026, 8, 21)
  const day = (month: number, date: number, hour: number) => new Date(2026, month - 1, date, hour)
  const t0 = performance.now()
  const deliveries = simulatedTraffic(from, 49, 7)
  console.log(zone, deliveries.length)
  let n = 0
  const alarms = simulate({
    db, rollups, deliveries, from, to: new Date(2026, 10, 9), checkEvery: 5, setNow: (at) => { now = at },
    incidents: [
      { from: day(10, 5, 0), to: day(10, 6, 0), change: () => undefined },
      { from: day(10, 17, 19), to: day(10, 17, 21), change: () => undefined },
      { from: day(10, 22, 18), to: day(10, 22, 22), change: (d) => d.locationName === 'Pier 9' ? undefined : d },
      { from: day(10, 21, 19), to: day(10, 21, 21), change: (d) => ({ ...d, createdAt: (d.createdAt ?? 0) - 300_000 }) },
      { from: day(10, 20, 19), to: day(10, 20, 20), change: (d) => (n += 1) % 5 < 2 ? ({ ...d, verdict: 'invalid', cause: 'body.pretty' }) : d },
      { from: day(11, 2, 0), to: day(11, 3, 0), change: () => undefined },
    ],
    outages: [
      { from: day(10, 30, 18), to: day(10, 30, 22), what: 'tunnel_closed' },
      { from: day(10, 31, 10), to: day(10, 31, 20), what: 'off' },
    ],
  })
  const text = (at: number) => new Date(at).toString().slice(0, 21)
  for (const a of alarms) console.log(a.kind, a.location, a.code, text(a.since), 'raised', text(a.raisedAt), 'ended', a.endedAt && text(a.endedAt), a.usual.toFixed(3), a.observed.toFixed(3))
  console.log(performance.now() - t0, db.prepare('select span, count(*) as n, sum(length(counts)) as b from rollup group by span').all())
  }
  expect(1).toBe(1)
}, 200_000)
