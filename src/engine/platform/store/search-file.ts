import { existsSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { createPrivately, writeWhole } from './private-files.ts'

// Text, references and repetitions of deliveries, in a file of its own: filling it takes no lock of the writer, and it may be deleted at any time.

const version = 1

/** Also part of the store of an imported event log. */
export const searchTables = `
  -- The search index is complete up to indexed_id.
  CREATE TABLE search_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    indexed_id INTEGER NOT NULL,
    -- progress.store_key of the store: the index of another one is useless.
    store_key TEXT NOT NULL DEFAULT ''
  ) STRICT;
  INSERT INTO search_progress (id, indexed_id) VALUES (1, 0);
  CREATE VIRTUAL TABLE delivery_text USING fts5 (
    headers, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  -- Retention removes deleted text in small steps, and SQLite not all at once while other text is added.
  INSERT INTO delivery_text (delivery_text, rank) VALUES ('deletemerge', 0);
  -- What a delivery can be found by besides its text: its body, its event, and the IDs that it mentions, each as the first 52 bits of
  -- a SHA-256. The row ID is delivery_id * 16 + slot, so that rows are in the order of deliveries and are deleted with them.
  CREATE TABLE delivery_ref (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX delivery_ref_by_hash ON delivery_ref (hash);
  -- The first delivery with the same body or event, which may be deleted before this one.
  CREATE TABLE delivery_repeat (
    id INTEGER PRIMARY KEY,
    first_id INTEGER NOT NULL,
    criterion TEXT NOT NULL CHECK (criterion IN ('body', 'event'))
  ) STRICT;
`

/** Empty, instead of a missing or damaged file. */
export const temporarySearchTables = searchTables
  .replaceAll('CREATE TABLE ', 'CREATE TEMP TABLE ')
  .replace('CREATE VIRTUAL TABLE ', 'CREATE VIRTUAL TABLE temp.')
  .replace('CREATE INDEX ', 'CREATE INDEX temp.')

/** Null for the store of an imported event log, which has these tables itself. */
export function searchPathOf(storePath: string): string | null {
  return basename(storePath) === 'tabscope.db' ? join(dirname(storePath), 'search.db') : null
}

/** Creates the file, or a new one instead of one that is damaged, of another version or of another store. For the only thread that writes it. */
export function openSearchWriter(path: string, key: string): Database.Database {
  if (!existsSync(path)) return recreateSearch(path, key)
  try {
    const db = open(path)
    if (isCurrent(db, key)) return db
    db.close()
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  return recreateSearch(path, key)
}

/** No other connection may have the file open, on Windows. */
export function recreateSearch(path: string, key: string): Database.Database {
  createDatabase(path, (db) => {
    db.exec(searchTables)
    db.prepare('UPDATE search_progress SET store_key = ?').run(key)
    db.pragma(`user_version = ${version}`)
  })
  return open(path)
}

/** Instead of a file, if there is one. It never exists without what `fill` writes. */
export function createDatabase(path: string, fill: (db: Database.Database) => void): void {
  for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) rmSync(path + end)
  writeWhole(path, contentOfDatabase(fill))
}

export function contentOfDatabase(fill: (db: Database.Database) => void): Buffer {
  const db = new Database(':memory:')
  try {
    fill(db)
    const content = db.serialize()
    // With a WAL from the start: a kill while SQLite changes the journal mode would leave a journal, which no reader can roll back.
    return content.fill(2, 18, 20)
  } finally {
    db.close()
  }
}

export function storeKey(store: Database.Database): string {
  return String(store.prepare('SELECT store_key FROM progress').pluck().get())
}

function isCurrent(search: Database.Database, key: string): boolean {
  try {
    if (search.pragma('user_version', { simple: true }) !== version) return false
    return search.prepare('SELECT store_key FROM search_progress').pluck().get() === key
  } catch (error) {
    if (isUnusable(error)) return false
    throw error
  }
}

function open(path: string): Database.Database {
  createPrivately(path)
  const db = new Database(path)
  try {
    db.pragma('trusted_schema = OFF')
    db.pragma('journal_mode = WAL')
    // A power failure may lose the latest rows, which are then indexed again.
    db.pragma('synchronous = NORMAL')
    db.pragma('cache_size = -16000')
    db.pragma('busy_timeout = 5000')
    return db
  } catch (error) {
    // Windows does not delete an open file.
    db.close()
    throw error
  }
}

/** Also of the text index. */
export function isIndexIntact(search: Database.Database): boolean {
  try {
    search.exec("INSERT INTO delivery_text (delivery_text) VALUES ('integrity-check')")
    return search.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isUnusable(error)) return false
    throw error
  }
}

export function isDamage(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'))
  )
}

/** Also without its tables. */
export function isUnusable(error: unknown): boolean {
  return isDamage(error) || (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR')
}
