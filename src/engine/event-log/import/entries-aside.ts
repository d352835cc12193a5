import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { prepare } from '../../store/driver.ts'
import { createPrivately } from '../../store/private-files.ts'

/** Entries that are put aside until all have come: tools write them in any order, and they get their numbers in that of time. */
export interface EntriesAside {
  put(number: number, at: number, json: Buffer): void
  /** In order of time; those of one moment as they came. */
  inOrder(): Generator<{ number: number; json: Buffer }, void, undefined>
  /** Nothing of it stays. */
  close(): void
}

/** In a file of its own at `path`, so that no file takes memory by being long. */
export function createEntriesAside(path: string): EntriesAside {
  createPrivately(path)
  const db = new Database(path)
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.exec('CREATE TABLE entry (number INTEGER PRIMARY KEY, at REAL NOT NULL, json BLOB NOT NULL)')
  db.exec('BEGIN')
  const insert = prepare<[number, number, Buffer]>(db, 'INSERT INTO entry VALUES (?, ?, ?)')
  return {
    put: (number, at, json) => {
      insert.run(number, at, json)
    },
    *inOrder() {
      db.exec('CREATE INDEX entry_by_time ON entry (at)')
      yield* prepare<[], { number: number; json: Buffer }>(
        db,
        'SELECT number, json FROM entry INDEXED BY entry_by_time ORDER BY at, number',
      ).iterate()
    },
    close: () => {
      db.close()
      rmSync(path, { force: true })
    },
  }
}
