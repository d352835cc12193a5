import type { Db } from '../platform/sqlite.ts'

/** One transaction that overwrites with zeros what it deletes: SQLite leaves deleted bytes in the file otherwise. */
export function wiping<T>(db: Db, work: () => T): T {
  db.pragma('secure_delete = ON')
  try {
    return db.transaction(work)()
  } finally {
    db.pragma('secure_delete = OFF')
  }
}

/**
 * Folds the WAL into the store and empties it, so that what was wiped is in neither. False when a query stands in the way for too long:
 * the WAL then still holds old pages until the next checkpoint.
 */
export function emptyWal(db: Db): boolean {
  db.pragma('busy_timeout = 1000')
  try {
    const busy = db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })
    return busy === 0
  } finally {
    db.pragma('busy_timeout = 5000')
  }
}
