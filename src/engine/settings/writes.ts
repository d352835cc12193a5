// Without schemas, which the writer thread must not load.
import type { Settings } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

export function writeSettings(db: Db, settings: Partial<Settings>): void {
  const write = prepare<[string, string]>(
    db,
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  db.transaction(() => {
    for (const [key, value] of Object.entries(settings)) write.run(key, JSON.stringify(value))
  })()
}
