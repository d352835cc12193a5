import Database from 'better-sqlite3'
import { createPrivately } from '../store/private-files.ts'

export type Db = Database.Database

/** Opens the store for its single writer. Creates it if missing, readable only by its owner. Commits are durable. */
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
 * Makes commits faster: they are durable only inside `durably`. Until the next durable commit the data is still in the journal, so commits lost in a
 * power failure (always the latest ones, completely and in order) are restored from it.
 */
export function relyOnJournal(db: Db): {
  readonly durably: <T>(work: () => T) => T
} {
  db.pragma('synchronous = NORMAL')
  return {
    /** Runs a durable commit. Earlier commits are durable as well when it returns. */
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

/** Copies the WAL into the database, as far as readers allow. A failure is ignored: SQLite tries it again after later commits. */
export function checkpoint(db: Db): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // The WAL keeps what was not copied.
  }
}

/** Opens the store for queries while a writer has it open. */
export function openReader(path: string): Db {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  db.pragma('cache_size = -16000')
  db.pragma('busy_timeout = 5000')
  return db
}

/**
 * Opens the store for queries while there is no writer. Not as read-only, because such a connection would leave the WAL files behind: only the last
 * writable connection removes them. Nothing is written otherwise.
 */
export function openUnheld(path: string): Db {
  const db = new Database(path, { fileMustExist: true })
  db.pragma('query_only = ON')
  db.pragma('cache_size = -16000')
  db.pragma('busy_timeout = 5000')
  return db
}

/**
 * Prepares a statement. The caller declares the types of its parameters and rows.
 *
 * SQLite compiles a query again for each new value of a parameter that it considered for its plan, which it does in joins, and for tables with statistics
 * or partial indexes. That takes several times as long as to read a row. Queries that run for each delivery therefore compare with an expression
 * instead of a parameter: `? + 0`.
 */
export function prepare<P extends unknown[], R = unknown>(
  db: Db,
  sql: string,
): Database.Statement<P, R> {
  return db.prepare<P, R>(sql)
}

/** A value that SQLite stores. */
export type SqlValue = string | number | Uint8Array | null

/**
 * Returns a function that inserts a row. Values are bound by position, which takes half the time of named parameters.
 *
 * @param or what happens to a row that violates a constraint: by default an error, with `IGNORE` nothing
 */
export function insertInto<C extends string>(
  db: Db,
  table: string,
  columns: readonly C[],
  or?: 'IGNORE',
): (row: Readonly<Record<C, SqlValue>>) => Database.RunResult {
  const statement = db.prepare<SqlValue[]>(
    `INSERT ${or ? `OR ${or} ` : ''}INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  )
  return (row) => statement.run(...columns.map((column) => row[column]))
}

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
