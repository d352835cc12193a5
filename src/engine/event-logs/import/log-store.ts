import { closeSync, fsyncSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import type {
  LogEnd,
  LogEndpoint,
  LogHead,
  LogIntegration,
  LogRun,
  LogToken,
} from '#contract/event-log.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import { createPrivately } from '../../store/private-files.ts'
import { migrate, migrations } from '../../store/migrations/migrations.ts'
import type { DeliveryItem, LogItem } from '../items.ts'
import { createPutDelivery } from './put-delivery.ts'
import { Run } from '#contract/authorization.ts'

type Value = string | number | null

/** Stores what a log tells of integrations, endpoints, tokens and runs. Returns why something was left out, as half a sentence. */
function createPutAuthorization(
  db: Db,
): (item: LogIntegration | LogEndpoint | LogToken | LogRun) => string | null {
  const insert = (table: string, columns: string): ((...values: Value[]) => boolean) => {
    const statement = prepare<Value[]>(
      db,
      `INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`,
    )
    return (...values) => statement.run(...values).changes === 1
  }
  const insertIntegration = insert('integration', 'id, name, brand, base_url, kind')
  const insertEndpoint = insert(
    'endpoint',
    'id, integration_id, name, slug, application_id, custom_headers',
  )
  const insertToken = insert(
    'token',
    'id, integration_id, label, initiated, expires, expires_in, obtained_ms, version, standing, findings',
  )
  const insertEvent = insert('token_event', 'token_id, kind, at_ms, detail, run_id')
  const insertRun = insert(
    'run',
    'id, integration_id, kind, agent, state, started_ms, ended_ms, redirect_url, failure, token_id, record',
  )

  const put = (item: LogIntegration | LogEndpoint | LogToken | LogRun): boolean => {
    switch (item.kind) {
      case 'integration':
        return insertIntegration(
          item.id,
          item.name,
          item.brand,
          item.baseUrl,
          item.sandbox ? 'sandbox' : 'service',
        )
      case 'endpoint':
        return insertEndpoint(
          item.id,
          item.integrationId,
          item.name,
          item.slug,
          item.applicationId,
          JSON.stringify(item.customHeaders),
        )
      case 'token': {
        const isNew = insertToken(
          item.id,
          item.integrationId,
          item.label,
          item.initiated,
          item.expires,
          item.expiresIn,
          Math.round(item.obtainedAt),
          item.version,
          item.standing,
          JSON.stringify(item.findings),
        )
        if (!isNew) return false
        for (const { kind, at, detail, runId } of item.events) {
          insertEvent(item.id, kind, Math.round(at), detail, runId)
        }
        return true
      }
      case 'run': {
        const { run } = item
        return insertRun(
          run.id,
          run.integrationId,
          run.kind,
          run.agent,
          run.state,
          Math.round(run.startedAt),
          run.endedAt === null ? null : Math.round(run.endedAt),
          run.redirectUrl,
          run.failure && JSON.stringify(run.failure),
          run.tokenId,
          JSON.stringify(RunRest.parse(run)),
        )
      }
    }
  }
  return (item) =>
    put(item) ? null : `another ${item.kind} before it has the same number, or the same address`
}

/** What of a run has no column. */
const RunRest = Run.pick({
  authorizeUrl: true,
  takesPaste: true,
  waitsUntil: true,
  steps: true,
  findings: true,
  heldBack: true,
  hasRefusedToken: true,
})

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
