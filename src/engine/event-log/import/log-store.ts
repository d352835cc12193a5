import { closeSync, fsyncSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { LogEnd, LogHead } from '#contract/event-log.ts'
import { prepare, type Db } from '../../store/driver.ts'
import { createPrivately } from '../../store/private-files.ts'
import { migrate, migrations } from '../../store/migrations/migrations.ts'
import type { DeliveryItem, LogItem } from '../items.ts'
import { createPutAuthorization } from './put-authorization.ts'
import { createPutDelivery } from './put-delivery.ts'

/** Rows in one transaction. */
const batch = 10_000

/** The store of a log while it is filled. */
export interface LogStore {
  /** Why it was left out, as half a sentence; null: it is in. */
  put(item: LogItem): string | null
  /** What there is so far. */
  tally(): LogTally
  /** Writes what is left, makes it ready to be read, and closes it. */
  finish(head: LogHead | null, end: LogEnd | null): void
  close(): void
}

export interface LogTally {
  readonly deliveries: number
  /** Of heads and bodies. */
  readonly bytes: number
  readonly lastId: number
  /** `received_us`; null: there is none. */
  readonly firstUs: number | null
  readonly lastUs: number | null
}

/**
 * Makes the store of a log at `path`, where nothing is. Until it is finished it is worth nothing, so that nothing is done for the case that
 * power is lost. Indexes that are not needed meanwhile are made at the end: in one go, they take a fraction of the time.
 */
export function createLogStore(path: string): LogStore {
  createPrivately(path)
  const db = new Database(path)
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma('foreign_keys = OFF')
  db.pragma('cache_size = -64000')
  migrate(db, 0, migrations)
  const makeIndexes = withoutIndexes(db)
  const putDelivery = createPutDelivery(db)
  const putAuthorization = createPutAuthorization(db)
  let tally: LogTally = { deliveries: 0, bytes: 0, lastId: 0, firstUs: null, lastUs: null }
  let pending = 0

  const count = ({ fields }: DeliveryItem['delivery'], bytes: number): void => {
    const us = Math.round(fields.receivedAt * 1000)
    tally = {
      deliveries: tally.deliveries + 1,
      bytes: tally.bytes + bytes,
      lastId: Math.max(tally.lastId, fields.id),
      firstUs: Math.min(tally.firstUs ?? us, us),
      lastUs: Math.max(tally.lastUs ?? us, us),
    }
  }

  const put = (item: LogItem): string | null => {
    if (item.kind !== 'delivery') return putAuthorization(item)
    const { problem, bytes } = putDelivery(item.delivery)
    if (problem === null) count(item.delivery, bytes)
    return problem
  }

  return {
    put: (item) => {
      if (pending === 0) db.exec('BEGIN')
      pending += 1
      const problem = put(item)
      if (pending >= batch) {
        db.exec('COMMIT')
        pending = 0
      }
      return problem
    },
    tally: () => tally,
    finish: (head, end) => {
      if (pending === 0) db.exec('BEGIN')
      prepare<[number, number, number]>(
        db,
        'UPDATE progress SET last_id = ?, deliveries = ?, bytes = ?',
      ).run(tally.lastId, tally.deliveries, tally.bytes)
      prepare<[number]>(db, 'UPDATE search_progress SET indexed_id = ?').run(tally.lastId)
      if (head) {
        prepare<[string, string | null]>(
          db,
          'INSERT INTO log_origin (id, head, end_line) VALUES (1, ?, ?)',
        ).run(JSON.stringify(head), end && JSON.stringify(end))
      }
      db.exec('COMMIT')
      makeIndexes()
      // From now on it is read alone, and reading must write nothing beside it.
      db.pragma('journal_mode = DELETE')
      db.close()
      onDisk(path)
    },
    close: () => {
      db.close()
    },
  }
}

/** Takes the indexes away that only queries need; what it returns makes them again. */
function withoutIndexes(db: Db): () => void {
  const indexes = prepare<[], { name: string; sql: string }>(
    db,
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  ).all()
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`)
  return () => {
    for (const { sql } of indexes) db.exec(sql)
  }
}

function onDisk(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
