import Database from 'better-sqlite3'
import { createPrivately } from '../store/private-files.ts'

export type Db = Database.Database

/** Opens the store for its one writer, and makes it where there is none, for its owner alone. Every commit is on the disk when it returns. */
export function openWriter(path: string): Db {
  createPrivately(path)
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('cache_size = -16000')
  db.pragma('busy_timeout = 5000')
  return db
}

/**
 * From now on a commit waits for the disk only where it is asked to: for what the journal keeps until a durable commit has it as well.
 * Power that is lost takes the last such commits away, whole and in order, and the journal brings them back.
 */
export function relyOnJournal(db: Db): {
  readonly durably: <T>(work: () => T) => T
} {
  db.pragma('synchronous = NORMAL')
  return {
    /** Everything that was committed before is on the disk as well when it returns. */
    durably: (work) => {
      db.pragma('synchronous = FULL')
      try {
        return work()
      } finally {
        db.pragma('synchronous = NORMAL')
      }
    },
  }
}

/** Opens the store for queries beside the writer. */
export function openReader(path: string): Db {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  db.pragma('cache_size = -16000')
  db.pragma('busy_timeout = 5000')
  return db
}

/**
 * Opens the store for queries where it has no writer. A connection that is read-only would leave the files of the WAL behind, which only the
 * last connection that may write takes away: this one may, and writes nothing else.
 */
export function openUnheld(path: string): Db {
  const db = new Database(path, { fileMustExist: true })
  db.pragma('query_only = ON')
  db.pragma('cache_size = -16000')
  db.pragma('busy_timeout = 5000')
  return db
}

/** A prepared statement with its parameters and rows typed by whoever wrote its SQL. */
export function prepare<P extends unknown[], R = unknown>(
  db: Db,
  sql: string,
): Database.Statement<P, R> {
  return db.prepare<P, R>(sql)
}
