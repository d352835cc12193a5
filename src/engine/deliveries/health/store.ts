import type { Alert, HealthRule } from '#contract/health.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'

const keptAlerts = 1000

/** Inserted or changed; `id` is that of a new one, too. */
export function writeAlerts(db: Db, alerts: readonly Alert[]): void {
  const write = prepare<[number, number, number | null, string]>(
    db,
    'INSERT OR REPLACE INTO alert (id, raised_ms, ended_ms, record) VALUES (?, ?, ?, ?)',
  )
  db.transaction(() => {
    for (const alert of alerts) {
      write.run(alert.id, alert.raisedAt, alert.endedAt, JSON.stringify(alert))
    }
    prepare<[number]>(
      db,
      'DELETE FROM alert WHERE id <= (SELECT max(id) FROM alert) - ? AND ended_ms IS NOT NULL',
    ).run(keptAlerts)
  })()
}

/** Those that held at some time since then, in milliseconds since the epoch; oldest first. */
export function readAlerts(db: Db, since: number): Alert[] {
  return prepare<[number], { record: string }>(
    db,
    'SELECT record FROM alert WHERE ended_ms IS NULL OR ended_ms >= ? ORDER BY raised_ms, id',
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

/** Alerts that hold, all rules, and the last ID of an alert. */
export function readHealthState(db: Db): { alerts: Alert[]; rules: HealthRule[]; lastId: number } {
  return {
    alerts: readAlerts(db, Number.MAX_SAFE_INTEGER),
    rules: prepare<[], { record: string }>(
      db,
      'SELECT record FROM health_rule ORDER BY endpoint_id',
    )
      .all()
      .map(({ record }) => JSON.parse(record)),
    lastId:
      prepare<[], { id: number }>(
        db,
        "SELECT seq AS id FROM main.sqlite_sequence WHERE name = 'alert'",
      ).get()?.id ?? 0,
  }
}
