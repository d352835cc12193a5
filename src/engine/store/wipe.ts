import type { Db } from '../platform/sqlite.ts'

/** Runs a transaction that overwrites deleted data with zeros. Otherwise SQLite leaves it in the file. */
export function wiping<T>(db: Db, work: () => T): T {
  db.pragma('secure_delete = ON')
  try {
    return db.transaction(work)()
  } finally {
    db.pragma('secure_delete = OFF')
  }
}

/**
 * Checkpoints and truncates the WAL, so that it does not contain wiped data either. Returns false if a query blocks this for too long: the WAL
 * then contains old pages until the next checkpoint.
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
