import type { StoredTunnel } from './record.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

export function writeTunnel(db: Db, { wanted, record }: StoredTunnel): void {
  prepare<[number, string]>(
    db,
    `INSERT INTO tunnel (id, wanted, record) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET wanted = excluded.wanted, record = excluded.record`,
  ).run(wanted ? 1 : 0, JSON.stringify(record))
}
