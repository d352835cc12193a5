import type { Alert } from '#contract/health.ts'
import { createAlertCheck, defaultRule } from '#engine/deliveries/health/alerts.ts'
import {
  countCauses,
  createCounting,
  type CountedDelivery,
} from '#engine/deliveries/health/counts.ts'
import { writePresence } from '#engine/deliveries/health/running.ts'
import { mergeAlerts } from '#engine/deliveries/health/watch.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { seeded } from './random-json.ts'

export interface SimulatedDelivery extends CountedDelivery {
  /** Found a minute later. */
  readonly cause: string | null
}

export interface Incident {
  readonly from: Date
  readonly to: Date
  /** Undefined: the delivery does not arrive. */
  readonly change: (delivery: SimulatedDelivery) => SimulatedDelivery | undefined
}

export interface Outage {
  readonly from: Date
  readonly to: Date
  readonly what: 'off' | 'tunnel_closed'
}

const locations = { 'Pier 9': 4, Harbour: 2.5, Mill: 1.5 } as const
const events = [
  'TAB_OPENED',
  'ITEM_ADDED',
  'ORDER_PLACED',
  'ITEM_ADDED',
  'ORDER_PLACED',
  'CLOSE_TAB',
]

/** Tabs that are opened in an hour of the local time, for one unit of a location. */
function tabsAt(date: Date): number {
  const hour = date.getHours()
  if (hour < 11 || hour >= 23) return 0
  const isWeekend = [0, 5, 6].includes(date.getDay())
  return (hour >= 18 && hour < 22 ? 3 : 0.8) * (isWeekend ? 1.6 : 1)
}

/** Tabs of three locations, in the evening and on weekends more, with their events over an hour and a half; in order of arrival. */
export function simulatedTraffic(from: Date, days: number, seed: number): SimulatedDelivery[] {
  const random = seeded(seed)
  const deliveries: SimulatedDelivery[] = []
  const end = new Date(from)
  end.setDate(end.getDate() + days)
  for (let hour = from.getTime(); hour < end.getTime(); hour += 3_600_000) {
    for (const [location, size] of Object.entries(locations)) {
      const expected = tabsAt(new Date(hour)) * size
      for (
        let passed = -Math.log(1 - random());
        passed < expected;
        passed -= Math.log(1 - random())
      ) {
        const opened = hour + (passed / expected) * 3_600_000
        for (const [index, type] of events.entries()) {
          const createdAt = opened + (index + random()) * 900_000
          deliveries.push({
            receivedUs: (createdAt + 200 + random() * 2000) * 1000,
            createdAt,
            endpointId: 1,
            locationName: location,
            type,
            verdict: 'valid',
            via: 'tunnel',
            sentBy: null,
            cause: null,
          })
        }
      }
    }
  }
  return deliveries.sort((a, b) => a.receivedUs - b.receivedUs)
}

export interface Simulation {
  readonly db: Db
  readonly deliveries: readonly SimulatedDelivery[]
  readonly incidents: readonly Incident[]
  readonly outages: readonly Outage[]
  readonly from: Date
  readonly to: Date
  /** Minutes between two checks. */
  readonly checkEvery: number
}

/** Plays it minute by minute, as the writer and the engine do. Returns every alert. */
export function simulate(simulation: Simulation): Alert[] {
  const { db, deliveries, incidents, outages, from, to, checkEvery } = simulation
  const counting = createCounting(db)
  const check = createAlertCheck(db)
  const rules = [{ ...defaultRule, endpointId: 1 }]
  const all = new Map<number, Alert>()
  let active: Alert[] = []
  let next = 0
  let id = 0
  let lastAlert = 0
  for (let now = from.getTime(); now < to.getTime(); now += 60_000) {
    const outage = outages.find(
      (each) => now >= each.from.getTime() && now < each.to.getTime(),
    )?.what
    // Together, which is faster.
    if (!db.inTransaction) db.exec('BEGIN')
    const arrived: SimulatedDelivery[] = []
    for (; (deliveries[next]?.receivedUs ?? Infinity) < now * 1000; next += 1) {
      const found = deliveries[next]
      const delivery = found && outage === undefined ? changed(found, incidents) : undefined
      if (!delivery) continue
      id += 1
      arrived.push(delivery)
      if (delivery.cause !== null) diagnose(simulation, id, delivery, delivery.cause)
    }
    counting.deliveries(arrived)
    if (outage === 'off') continue
    const tunnel = outage === undefined ? 'open' : 'closed'
    writePresence(db, { at: now, tunnel, relayDown: false })
    if ((now / 60_000) % checkEvery > 0) continue
    db.exec('COMMIT')
    const { conditions } = check({ now, rules, active })
    const merged = mergeAlerts(active, conditions, now, () => (lastAlert += 1))
    active = merged.alerts
    for (const alert of merged.changed) all.set(alert.id, alert)
  }
  if (db.inTransaction) db.exec('COMMIT')
  return [...all.values()]
}

/** Only what the counts read again is stored. */
function diagnose(
  { db }: Simulation,
  id: number,
  { receivedUs, locationName, type, verdict }: SimulatedDelivery,
  code: string,
): void {
  db.prepare(
    `INSERT INTO delivery (id, received_us, method, path, endpoint_id, type, title, location_name, verdict, bytes, sha256, arrival)
     VALUES (?, ?, 'POST', '/', 1, ?, '', ?, ?, 0, x'00', 'complete')`,
  ).run(id, Math.round(receivedUs), type, locationName, verdict)
  countCauses(db, id, [], [{ code, where: 'between' }])
}

function changed(
  delivery: SimulatedDelivery,
  incidents: readonly Incident[],
): SimulatedDelivery | undefined {
  let result: SimulatedDelivery | undefined = delivery
  for (const { from, to, change } of incidents) {
    const at = delivery.receivedUs / 1000
    if (result && at >= from.getTime() && at < to.getTime()) result = change(result)
  }
  return result
}
