import Database from 'better-sqlite3'
import { migrate, migrations } from '../../store/migrations/migrations.ts'

/** Brings the store of a log that an older Tabscope has imported up to this version. Its deliveries stay as they are. */
export function upgradeStore(path: string, list = migrations): void {
  const db = new Database(path, { fileMustExist: true })
  try {
    migrate(db, Number(db.pragma('user_version', { simple: true })), list)
  } finally {
    db.close()
  }
}
