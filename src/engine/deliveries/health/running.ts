import { prepare, type Db } from '../../platform/sqlite.ts'

/** Of Tabscope, from time to time: at least once a minute. */
export interface Presence {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly tunnel: 'open' | 'closed' | 'down'
  readonly relayDown: boolean
}

/** A time in which Tabscope ran, in milliseconds since the epoch. */
export interface Running {
  readonly since: number
  readonly until: number
  /** `closed`: not wanted; `down`: although it was wanted. */
  readonly tunnel: Presence['tunnel']
  readonly relayDown: 0 | 1
}

/** A shorter time between two reports is no interruption: a timer was late, or Tabscope was restarted. */
const continuousMs = 150_000
const maxRows = 20_000

const columns = 'since_ms AS since, until_ms AS until, tunnel, relay_down AS relayDown'

/** Extends the time that Tabscope has been running, or begins a new one after an interruption, or if the state of tunnel or relay is another. */
export function writePresence(db: Db, { at, tunnel, relayDown }: Presence): void {
  // Not the last one: the clock may have been ahead.
  const last = prepare<[number], Running>(
    db,
    `SELECT ${columns} FROM health_running WHERE since_ms <= ? ORDER BY since_ms DESC LIMIT 1`,
  ).get(at)
  const isContinued = last !== undefined && at - last.until < continuousMs
  if (isContinued && last.tunnel === tunnel && last.relayDown === Number(relayDown)) {
    const extend = 'UPDATE health_running SET until_ms = max(until_ms, ?) WHERE since_ms = ?'
    prepare<[number, number]>(db, extend).run(at, last.since)
    return
  }
  prepare<[number, number, string, number]>(
    db,
    'INSERT OR REPLACE INTO health_running (since_ms, until_ms, tunnel, relay_down) VALUES (?, ?, ?, ?)',
  ).run(isContinued ? Math.min(last.until, at) : at, at, tunnel, Number(relayDown))
  prepare<[number]>(
    db,
    'DELETE FROM health_running WHERE since_ms <= (SELECT since_ms FROM health_running ORDER BY since_ms DESC LIMIT 1 OFFSET ?)',
  ).run(maxRows)
}

/** In order. The last one reaches to `now`, unless Tabscope has ended. */
export function readRunning(db: Db, from: number, now: number): Running[] {
  const running = prepare<[number], Running>(
    db,
    `SELECT ${columns} FROM health_running WHERE until_ms > ? ORDER BY since_ms`,
  ).all(from - continuousMs)
  const current = running.findLast(({ since }) => since <= now)
  const isContinued = current !== undefined && now - current.until < continuousMs
  return running.map((each) =>
    isContinued && each === current ? { ...each, until: Math.max(each.until, now) } : each,
  )
}

/** Milliseconds between two times. */
export function runningBetween(running: readonly Running[], from: number, to: number): number {
  return running.reduce(
    (sum, { since, until }) => sum + Math.max(0, Math.min(until, to) - Math.max(since, from)),
    0,
  )
}
