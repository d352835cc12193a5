import Database from 'better-sqlite3'
import { Run } from '#contract/authorization.ts'
import { unknownTime } from '#contract/constants.ts'
import type {
  LogEnd,
  LogEndpoint,
  LogHead,
  LogIntegration,
  LogRehearsal,
  LogRehearsalCase,
  LogRehearsalRequest,
  LogRun,
  LogToken,
} from '#contract/event-log.ts'
import { type Db, insertInto, insertNew, prepare, type SqlValue } from '../../platform/sqlite.ts'
import { createPrivately, syncFile } from '../../platform/store/private-files.ts'
import { createWriteFields, writtenTypes } from '../../deliveries/health/observed.ts'
import { PayloadFields } from '../../deliveries/health/payload-fields.ts'
import { searchTables } from '../../platform/store/search-file.ts'
import { createInOneFile } from '../../platform/store/migrations/migrations.ts'
import type { DeliveryItem } from '../items.ts'
import { requestOf } from '../format-parts/rehearsal-lines.ts'
import { createPutDelivery } from './put-delivery.ts'

const maxBatch = 10_000
/** Memory for terms before they are written. SQLite's default is one megabyte. */
const textIndexBytes = 32 * 1024 * 1024

type AuthorizationLine = LogIntegration | LogEndpoint | LogToken | LogRun
type RehearsalLine = LogRehearsal | LogRehearsalCase | LogRehearsalRequest
export type StoredItem = AuthorizationLine | RehearsalLine | DeliveryItem

export interface LogTally {
  deliveries: number
  rehearsals: number
  /** Headers and bodies. */
  bytes: number
  lastId: number
  /** First and last `received_us`. Null: no deliveries with a known time. */
  firstUs: number | null
  lastUs: number | null
}

/** An unfinished store is discarded anyway, so it is not protected against a power failure. Creating most indexes at the end takes a fraction of the time. */
export class LogStore {
  readonly tally: LogTally = {
    deliveries: 0,
    rehearsals: 0,
    bytes: 0,
    lastId: 0,
    firstUs: null,
    lastUs: null,
  }
  readonly #path: string
  readonly #db: Db
  readonly #createIndexes: () => void
  readonly #payloads = new PayloadFields()
  readonly #putDelivery: ReturnType<typeof createPutDelivery>
  readonly #putAuthorization: ReturnType<typeof createPutAuthorization>
  readonly #putRehearsal: ReturnType<typeof createPutRehearsal>
  #pending = 0

  /** At `path`, which must not exist. */
  constructor(path: string) {
    this.#path = path
    const db = createDatabase(path)
    this.#db = db
    this.#createIndexes = dropIndexes(db)
    this.#putDelivery = createPutDelivery(db, this.#payloads)
    this.#putAuthorization = createPutAuthorization(db)
    this.#putRehearsal = createPutRehearsal(db)
  }

  /** Returns why the item was skipped, as the end of a sentence, or null. */
  put(item: StoredItem): string | null {
    if (this.#pending === 0) this.#db.exec('BEGIN')
    this.#pending += 1
    const problem = this.#put(item)
    if (this.#pending >= maxBatch) {
      this.#db.exec('COMMIT')
      this.#pending = 0
    }
    return problem
  }

  #put(item: StoredItem): string | null {
    switch (item.kind) {
      case 'delivery': {
        const { problem, bytes } = this.#putDelivery(item.delivery)
        if (problem === null) this.#count(item.delivery, bytes)
        return problem
      }
      case 'rehearsal': {
        const problem = this.#putRehearsal(item)
        if (problem === null) this.tally.rehearsals += 1
        return problem
      }
      case 'rehearsal_case':
      case 'rehearsal_request':
        return this.#putRehearsal(item)
      default:
        return this.#putAuthorization(item)
    }
  }

  #count({ fields }: DeliveryItem['delivery'], bytes: number): void {
    const { tally } = this
    tally.deliveries += 1
    tally.bytes += bytes
    tally.lastId = Math.max(tally.lastId, fields.id)
    if (fields.receivedAt === unknownTime) return
    const us = Math.round(fields.receivedAt * 1000)
    tally.firstUs = Math.min(tally.firstUs ?? us, us)
    tally.lastUs = Math.max(tally.lastUs ?? us, us)
  }

  /** Commits, and creates the indexes. */
  finish(head: LogHead | null, end: LogEnd | null): void {
    const db = this.#db
    if (this.#pending === 0) db.exec('BEGIN')
    writeTotals(db, this.tally)
    writePayloads(db, this.#payloads)
    if (head) writeOrigin(db, head, end)
    db.exec('COMMIT')
    this.#createIndexes()
    // From here on the store is only read. In this mode, readers create no files next to it.
    db.pragma('journal_mode = DELETE')
    db.close()
    syncFile(this.#path)
  }

  close(): void {
    this.#db.close()
  }
}

function createDatabase(path: string): Db {
  createPrivately(path)
  const db = new Database(path)
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma('foreign_keys = OFF')
  db.pragma('cache_size = -64000')
  createInOneFile(db)
  db.exec(searchTables)
  // The text index is written in few large parts, which are not merged before there are 16: half as much is written to it.
  db.exec(`
    INSERT INTO delivery_text (delivery_text, rank) VALUES ('hashsize', ${textIndexBytes});
    INSERT INTO delivery_text (delivery_text, rank) VALUES ('automerge', 0);
  `)
  return db
}

function writeTotals(db: Db, { lastId, deliveries, bytes }: LogTally): void {
  const totals = { lastId, deliveries, bytes }
  prepare<[typeof totals]>(
    db,
    'UPDATE progress SET last_id = $lastId, deliveries = $deliveries, bytes = $bytes, observed_id = $lastId',
  ).run(totals)
  prepare<[number]>(db, 'UPDATE search_progress SET indexed_id = ?').run(lastId)
}

function writePayloads(db: Db, payloads: PayloadFields): void {
  const { types, notices } = payloads.take()
  createWriteFields(db)({ types: writtenTypes(types), notices })
}

function writeOrigin(db: Db, head: LogHead, end: LogEnd | null): void {
  const insert = insertInto(db, 'log_origin', ['id', 'head', 'end_line'])
  insert({ id: 1, head: JSON.stringify(head), end_line: end && JSON.stringify(end) })
}

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

/** In bytes: the runs, the results of one run, and the requests of one case are each read at once. */
const maxBytes = { runs: 16 * 1024 * 1024, results: 16 * 1024 * 1024, requests: 64 * 1024 * 1024 }

const strayProblem = 'it does not belong to the rehearsal before it'

/** The function returns why a line was skipped, as the end of a sentence, or null. */
function createPutRehearsal(db: Db): (line: RehearsalLine) => string | null {
  const insertRun = insertNew(db, 'rehearsal')
  const insertCase = insertNew(db, 'rehearsal_case')
  const insertRequest = insertInto(db, 'rehearsal_request', [
    'rehearsal_id',
    'case_id',
    'record',
    'body',
    'response_body',
  ])
  const bytes = { runs: 0, results: 0, requests: 0 }
  let run: number | null = null
  let caseId: string | null = null
  let position = 0

  const takes = (what: keyof typeof bytes, size: number): boolean => {
    if (bytes[what] + size > maxBytes[what]) return false
    bytes[what] += size
    return true
  }

  return (line) => {
    switch (line.kind) {
      case 'rehearsal': {
        run = null
        const { id, ...rest } = line.rehearsal
        const record = JSON.stringify(rest)
        if (!takes('runs', record.length)) return 'there are too many rehearsals before it'
        if (!insertRun({ id, record })) {
          return `there is already a rehearsal ${id} before it`
        }
        run = id
        bytes.results = 0
        caseId = null
        return null
      }
      case 'rehearsal_case': {
        caseId = null
        if (line.rehearsal !== run) return strayProblem
        const { id } = line.result
        const record = JSON.stringify(line.result)
        if (!takes('results', record.length)) return 'the results of its rehearsal are too large'
        position += 1
        if (!insertCase({ rehearsal_id: run, case_id: id, position, record })) {
          return `there is already a case ${id} before it`
        }
        caseId = id
        bytes.requests = 0
        return null
      }
      case 'rehearsal_request': {
        if (line.rehearsal !== run || caseId === null) return strayProblem
        const { body, responseBody, ...rest } = requestOf(line)
        const record = JSON.stringify(rest)
        if (!takes('requests', record.length + body.byteLength + responseBody.byteLength)) {
          return 'the requests of its case are too large'
        }
        insertRequest({
          rehearsal_id: run,
          case_id: caseId,
          record,
          body,
          response_body: responseBody,
        })
        return null
      }
    }
  }
}

/** The function returns why a line was skipped, as the end of a sentence, or null. */
function createPutAuthorization(db: Db): (line: AuthorizationLine) => string | null {
  const insertIntegration = insertNew(db, 'integration')
  const insertEndpoint = insertNew(db, 'endpoint')
  const insertToken = insertNew(db, 'token')
  const insertEvent = insertNew(db, 'token_event')
  const insertRun = insertNew(db, 'run')
  const put = (line: AuthorizationLine): boolean => {
    switch (line.kind) {
      case 'integration':
        return insertIntegration(integrationRow(line))
      case 'endpoint':
        return insertEndpoint(endpointRow(line))
      case 'token':
        if (!insertToken(tokenRow(line))) return false
        for (const { kind, at, detail, runId } of line.events) {
          insertEvent({ token_id: line.id, kind, at_ms: Math.round(at), detail, run_id: runId })
        }
        return true
      case 'run':
        return insertRun(runRow(line))
    }
  }
  return (line) => (put(line) ? null : `an earlier ${line.kind} has the same id or address`)
}

type Row = Record<string, SqlValue>

function integrationRow({ id, name, brand, baseUrl, sandbox }: LogIntegration): Row {
  return { id, name, brand, base_url: baseUrl, kind: sandbox ? 'sandbox' : 'service' }
}

function endpointRow(endpoint: LogEndpoint): Row {
  return {
    id: endpoint.id,
    integration_id: endpoint.integrationId,
    name: endpoint.name,
    slug: endpoint.slug,
    application_id: endpoint.applicationId,
    custom_headers: JSON.stringify(endpoint.customHeaders),
  }
}

function tokenRow(token: LogToken): Row {
  return {
    id: token.id,
    integration_id: token.integrationId,
    label: token.label,
    initiated: token.initiated,
    expires: token.expires,
    expires_in: token.expiresIn,
    obtained_ms: Math.round(token.obtainedAt),
    version: token.version,
    status: token.status,
    findings: JSON.stringify(token.findings),
  }
}

function runRow({ run }: LogRun): Row {
  return {
    id: run.id,
    integration_id: run.integrationId,
    kind: run.kind,
    agent: run.agent,
    state: run.state,
    started_ms: Math.round(run.startedAt),
    ended_ms: run.endedAt === null ? null : Math.round(run.endedAt),
    redirect_url: run.redirectUrl,
    failure: run.failure && JSON.stringify(run.failure),
    token_id: run.tokenId,
    record: JSON.stringify(RunRest.parse(run)),
  }
}

const RunRest = Run.pick({
  authorizeUrl: true,
  acceptsPaste: true,
  timeoutAt: true,
  steps: true,
  findings: true,
  maskedValues: true,
})
