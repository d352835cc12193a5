import type { Alarm, HealthRule } from '#contract/health.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

const keptAlarms = 1000

/** Inserted or changed; `id` is that of a new one, too. */
export function writeAlarms(db: Db, alarms: readonly Alarm[]): void {
  const write = prepare<[number, number, number | null, string]>(
    db,
    'INSERT OR REPLACE INTO alarm (id, raised_ms, ended_ms, record) VALUES (?, ?, ?, ?)',
  )
  db.transaction(() => {
    for (const alarm of alarms) {
      write.run(alarm.id, alarm.raisedAt, alarm.endedAt, JSON.stringify(alarm))
    }
    prepare<[number]>(
      db,
      'DELETE FROM alarm WHERE id <= (SELECT max(id) FROM alarm) - ? AND ended_ms IS NOT NULL',
    ).run(keptAlarms)
  })()
}

/** Those that held at some time since then, in milliseconds since the epoch; oldest first. */
export function readAlarms(db: Db, since: number): Alarm[] {
  return prepare<[number], { record: string }>(
    db,
    'SELECT record FROM alarm WHERE ended_ms IS NULL OR ended_ms >= ? ORDER BY raised_ms, id',
  )
    .all(since)
    .map(({ record }) => JSON.parse(record))
}

export function writeRule(db: Db, rule: HealthRule): void {
  prepare<[number, string]>(
    db,
    'INSERT OR REPLACE INTO health_rule (endpoint_id, record) VALUES (?, ?)',
  ).run(rule.endpointId, JSON.stringify(rule))
}

/** Alarms that hold, all rules, and the last ID of an alarm. */
export function readHealthState(db: Db): { alarms: Alarm[]; rules: HealthRule[]; lastId: number } {
  return {
    alarms: readAlarms(db, Number.MAX_SAFE_INTEGER),
    rules: prepare<[], { record: string }>(
      db,
      'SELECT record FROM health_rule ORDER BY endpoint_id',
    )
      .all()
      .map(({ record }) => JSON.parse(record)),
    lastId:
      prepare<[], { id: number }>(
        db,
        "SELECT seq AS id FROM main.sqlite_sequence WHERE name = 'alarm'",
      ).get()?.id ?? 0,
  }
}
