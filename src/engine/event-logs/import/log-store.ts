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
import { createPrivately, syncFile } from '../../store/private-files.ts'
import { migrate, migrations } from '../../store/migrations/migrations.ts'
import type { DeliveryItem } from '../items.ts'
import { createPutRehearsal, type RehearsalLine } from './put-rehearsal.ts'
import { createPutDelivery } from './put-delivery.ts'
import { Run } from '#contract/authorization.ts'

type Value = string | number | null

/** Creates a function that stores integrations, endpoints, tokens and runs. It returns why an item was skipped, as the end of a sentence, or null. */
function createPutAuthorization(
  db: Db,
): (item: LogIntegration | LogEndpoint | LogToken | LogRun) => string | null {
  const prepareInsert = (table: string, columns: string): ((...values: Value[]) => boolean) => {
    const statement = prepare<Value[]>(
      db,
      `INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`,
    )
    return (...values) => statement.run(...values).changes === 1
  }
  const insertIntegration = prepareInsert('integration', 'id, name, brand, base_url, kind')
  const insertEndpoint = prepareInsert(
    'endpoint',
    'id, integration_id, name, slug, application_id, custom_headers',
  )
  const insertToken = prepareInsert(
    'token',
    'id, integration_id, label, initiated, expires, expires_in, obtained_ms, version, standing, findings',
  )
  const insertEvent = prepareInsert('token_event', 'token_id, kind, at_ms, detail, run_id')
  const insertRun = prepareInsert(
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
        const inserted = insertToken(
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
        if (!inserted) return false
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
  return (item) => (put(item) ? null : `an earlier ${item.kind} has the same id or address`)
}

/** Fields of a run that have no column of their own. */
const RunRest = Run.pick({
  authorizeUrl: true,
  takesPaste: true,
  waitsUntil: true,
  steps: true,
  findings: true,
  heldBack: true,
  hasRefusedToken: true,
})

/** Maximum number of items in one transaction. */
const maxBatch = 10_000
/** Memory for terms of the text index before they are written, in bytes. SQLite's default is one megabyte. */
const textIndexBytes = 32 * 1024 * 1024

/** What is stored of a log, in file order. */
export type StoredItem =
  | LogIntegration
  | LogEndpoint
  | LogToken
  | LogRun
  | RehearsalLine
  | DeliveryItem

/** The store of a log during its import. */
export interface LogStore {
  /** Stores an item. Returns why it was skipped, as the end of a sentence. Null: it is stored. */
  put(item: StoredItem): string | null
  /** Returns totals of what is stored so far. */
  tally(): LogTally
  /** Commits, creates the indexes, and closes the store. */
  finish(head: LogHead | null, end: LogEnd | null): void
  close(): void
}

export interface LogTally {
  readonly deliveries: number
  readonly rehearsals: number
  /** Size of headers and bodies. */
  readonly bytes: number
  readonly lastId: number
  /** First and last `received_us`. Null: no deliveries. */
  readonly firstUs: number | null
  readonly lastUs: number | null
}

/**
 * Creates the store of a log at `path`, which must not exist. An unfinished store is discarded anyway, so it is not protected against a power failure.
 * Indexes that the import does not need are created at the end, which takes a fraction of the time.
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
  const createIndexes = dropIndexes(db)
  // The text index is written in few large parts, which are not merged before there are 16: half as much is written to it.
  db.exec(`
    INSERT INTO delivery_text (delivery_text, rank) VALUES ('hashsize', ${textIndexBytes});
    INSERT INTO delivery_text (delivery_text, rank) VALUES ('automerge', 0);
  `)
  const putDelivery = createPutDelivery(db)
  const putAuthorization = createPutAuthorization(db)
  const putRehearsal = createPutRehearsal(db)
  let tally: LogTally = {
    deliveries: 0,
    rehearsals: 0,
    bytes: 0,
    lastId: 0,
    firstUs: null,
    lastUs: null,
  }
  let pending = 0

  const updateTally = ({ fields }: DeliveryItem['delivery'], bytes: number): void => {
    const us = Math.round(fields.receivedAt * 1000)
    tally = {
      ...tally,
      deliveries: tally.deliveries + 1,
      bytes: tally.bytes + bytes,
      lastId: Math.max(tally.lastId, fields.id),
      firstUs: Math.min(tally.firstUs ?? us, us),
      lastUs: Math.max(tally.lastUs ?? us, us),
    }
  }

  const put = (item: StoredItem): string | null => {
    switch (item.kind) {
      case 'delivery': {
        const { problem, bytes } = putDelivery(item.delivery)
        if (problem === null) updateTally(item.delivery, bytes)
        return problem
      }
      case 'rehearsal': {
        const problem = putRehearsal(item)
        if (problem === null) tally = { ...tally, rehearsals: tally.rehearsals + 1 }
        return problem
      }
      case 'rehearsal_case':
      case 'rehearsal_request':
        return putRehearsal(item)
      default:
        return putAuthorization(item)
    }
  }

  return {
    put: (item) => {
      if (pending === 0) db.exec('BEGIN')
      pending += 1
      const problem = put(item)
      if (pending >= maxBatch) {
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
      createIndexes()
      // From here on the store is only read. In this mode, readers create no files next to it.
      db.pragma('journal_mode = DELETE')
      db.close()
      syncFile(path)
    },
    close: () => {
      db.close()
    },
  }
}

/** Drops the indexes, which only queries need. Returns a function that creates them again. */
function dropIndexes(db: Db): () => void {
  const indexes = prepare<[], { name: string; sql: string }>(
    db,
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  ).all()
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`)
  return () => {
    for (const { sql } of indexes) db.exec(sql)
  }
}
