import { prepare, type Db } from '../platform/sqlite.ts'
import type { StoredScript } from './messages.ts'

/** By name. */
export function readScripts(db: Db): StoredScript[] {
  return prepare<[], StoredScript>(
    db,
    'SELECT name, source, saved_ms AS savedAt FROM script ORDER BY name',
  ).all()
}
