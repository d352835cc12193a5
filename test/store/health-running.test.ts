import { expect, it } from 'vitest'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { readOverview } from '#engine/deliveries/health/overview.ts'
import { writePresence, type Presence } from '#engine/deliveries/health/running.ts'
import { readHealthState } from '#engine/deliveries/health/store.ts'
import { HealthWatch, type HealthPorts } from '#engine/deliveries/health/watch.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { createAlertCheck } from '#engine/deliveries/health/alerts.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { storeWith } from '#test/support/test-store.ts'

const start = Date.parse('2026-03-14T20:00:00.000Z')
const minute = 60_000
const minutes = (count: number): number => start + count * minute

const open = { tunnel: 'open', relayDown: false } as const

function report(db: Db, from: number, to: number, state: Omit<Presence, 'at'> = open): void {
  for (let at = from; at < to; at += 1) writePresence(db, { at: minutes(at), ...state })
}

const minutesOf = (values: readonly number[]): number =>
  Math.round(values.reduce((sum, each) => sum + each, 0))

/** Minutes of the last hour, by what was down. */
function down(db: Db, now: number) {
  const { down: shares } = readOverview(db, { range: 'hour', by: 'type', now })
  return {
    tabscope: minutesOf(shares.tabscope),
    tunnel: minutesOf(shares.tunnel),
    relay: minutesOf(shares.relay),
  }
}

it('knows when Tabscope did not run, and when tunnel and relay were down', () => {
  const { db } = storeWith()
  report(db, -60, 10)
  report(db, 25, 30)
  report(db, 30, 40, { tunnel: 'down', relayDown: false })
  report(db, 40, 45, { tunnel: 'closed', relayDown: true })
  report(db, 45, 60)
  expect(down(db, minutes(59))).toEqual({ tabscope: 16, tunnel: 10, relay: 5 })
})

it('calls neither a restart nor the time since the last report an interruption', () => {
  const { db } = storeWith()
  report(db, -60, 20)
  report(db, 21, 60)
  expect(down(db, minutes(60) + 50_000).tabscope).toBe(0)
  // It has ended.
  expect(down(db, minutes(89)).tabscope).toBe(30)
})

it.each([
  ['ahead', 500 * 24 * 60],
  ['behind', -500 * 24 * 60],
])('keeps the times before and after the clock was %s', (_, jump) => {
  const { db } = storeWith()
  report(db, -60, 20)
  report(db, jump, jump + 10)
  report(db, 21, 60)
  expect(down(db, minutes(59)).tabscope).toBe(0)
})

/** Timers fire up to a millisecond early. */
class EarlyClock {
  time = start + 12_345
  #timers: { readonly at: number; readonly callback: () => void }[] = []

  readonly now = (): number => this.time

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.time + Math.max(0, ms - 1), callback }
    this.#timers.push(timer)
    return () => void (this.#timers = this.#timers.filter((each) => each !== timer))
  }

  async runUntil(end: number): Promise<void> {
    for (;;) {
      const [next] = this.#timers.toSorted((a, b) => a.at - b.at)
      if (!next || next.at > end) return
      this.#timers = this.#timers.filter((each) => each !== next)
      this.time = Math.max(this.time, next.at)
      next.callback()
      // The check and what it waits for.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    }
  }
}

/** On this thread, without a store's own ones. */
function portsOf(
  db: Db,
  clock: EarlyClock,
  tunnel: () => TunnelStateName,
  checked: () => void = () => undefined,
) {
  const check = createAlertCheck(db)
  const calls = {
    writePresence: (presence: Presence) => writePresence(db, presence),
    healthState: () => readHealthState(db),
    writeAlerts: () => undefined,
  }
  const call = async (name: keyof typeof calls, input: never) => calls[name](input)
  return partialDouble<HealthPorts>({
    clock,
    store: {
      writer: { call },
      reader: { call },
      alertFacts: async (query: Parameters<typeof check>[0]) => {
        checked()
        return check(query)
      },
    },
    log: { error: (_text: string, error: unknown) => expect.fail(String(error)) },
    bus: { push: () => undefined },
    registry: { views: () => [] },
    tunnel,
    relays: () => [],
  })
}

it('has no gap in five hours of a running process whose timers fire early', async () => {
  const { db } = storeWith()
  const clock = new EarlyClock()
  const watch = new HealthWatch(portsOf(db, clock, () => 'online'))
  await watch.open(true)
  await clock.runUntil(minutes(300))
  for (const range of ['hour', 'day', 'week'] as const) {
    const { down: shares } = readOverview(db, { range, by: 'type', now: clock.time })
    expect(shares.tabscope.filter((share) => share > 0)).toEqual([])
  }
  expect(db.prepare('SELECT count(*) FROM health_running').pluck().get()).toBe(1)
  await watch.close()
})

it('checks alerts once an hour while nothing arrives, and within a minute of what does', async () => {
  const { db } = storeWith()
  const clock = new EarlyClock()
  let checks = 0
  const watch = new HealthWatch(
    portsOf(
      db,
      clock,
      () => 'off',
      () => void (checks += 1),
    ),
  )
  await watch.open(true)
  await clock.runUntil(minutes(300))
  expect(checks).toBe(5)
  watch.arrived()
  await clock.runUntil(minutes(301))
  expect(checks).toBe(6)
  await watch.close()
})
