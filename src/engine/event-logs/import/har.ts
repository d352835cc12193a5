import { hash } from 'node:crypto'
import {
  type HarAttempt,
  type HarDelivery,
  HarEnd,
  HarEntryMore,
  HarHead,
} from '#contract/event-log-har.ts'
import { eventLogVersion, type LogHead } from '#contract/event-log.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { AppError } from '../../platform/errors.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import type { DiskBudget } from './disk-budget.ts'
import { readEntry, entryTime } from './har-entry.ts'
import { HarScanner } from './har-scanner.ts'
import type { LogStore } from './log-store.ts'
import { assertFits, estimateHeap } from './memory.ts'
import { type Problems, tooNew } from './problems.ts'
import { type Read, readObject, describeIssue } from './read-line.ts'
import type { LogReader, ReadLog } from './messages.ts'
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { prepare } from '../../platform/sqlite.ts'
import { createPrivately } from '../../store/private-files.ts'
import { z } from 'zod'
import type { Header } from '#contract/models.ts'
import { outOfBounds } from './line-limits.ts'

const Pairs = z.array(z.object({ name: z.string(), value: z.string() }))

const Standard = z.object({
  request: z.object({
    headers: Pairs,
    postData: z.object({ text: z.string() }).optional(),
  }),
  response: z.object({
    headers: Pairs,
    content: z.object({ text: z.string().optional(), encoding: z.string().optional() }),
  }),
})
type Standard = z.infer<typeof Standard>

type TabscopeEntry =
  | { readonly kind: 'delivery'; readonly delivery: ExportedDelivery; readonly attempts: number }
  | { readonly kind: 'attempt'; readonly deliveryId: number; readonly attempt: ExportedAttempt }

function readTabscopeEntry(value: JsonObject): Read<TabscopeEntry> {
  const standard = Standard.safeParse(value)
  if (!standard.success) return { ok: false, problem: describeIssue(standard.error) }
  const ownData = HarEntryMore.safeParse(value['_tabscope'])
  if (!ownData.success) return { ok: false, problem: `_tabscope: ${describeIssue(ownData.error)}` }
  const { data } = ownData
  return data.kind === 'delivery'
    ? deliveryEntry(data, standard.data)
    : { ok: true, value: attemptEntry(data, standard.data) }
}

function deliveryEntry(
  { fields, bodyBase64, omitted, attempts }: HarDelivery,
  { request }: Standard,
): Read<TabscopeEntry> {
  const fieldsWithHeaders = { ...fields, headers: headersOf(request.headers) }
  const problem = outOfBounds({
    kind: 'delivery',
    ...fieldsWithHeaders,
    body: { text: '' },
    attempts: [],
  })
  if (problem !== null) return { ok: false, problem }
  const delivery = {
    fields: fieldsWithHeaders,
    body: bytesOf(request.postData?.text, bodyBase64),
    omitted: omitted ?? null,
    attempts: [],
  }
  return { ok: true, value: { kind: 'delivery', delivery, attempts } }
}

function attemptEntry(
  { deliveryId, fields, bodyAsCaptured, bodyBase64, answerBodyKept }: HarAttempt,
  { request, response }: Standard,
): TabscopeEntry {
  const { text, encoding } = response.content
  const answerBody = Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8')
  return {
    kind: 'attempt',
    deliveryId,
    attempt: {
      fields: {
        ...fields,
        request: { ...fields.request, headers: headersOf(request.headers) },
        response: fields.response && { ...fields.response, headers: headersOf(response.headers) },
      },
      requestBody: bodyAsCaptured ? null : bytesOf(request.postData?.text, bodyBase64),
      answerBody: answerBodyKept ? answerBody : null,
    },
  }
}

function headersOf(pairs: z.infer<typeof Pairs>): Header[] {
  return pairs.map(({ name, value }) => [name, value])
}

function bytesOf(text: string | undefined, base64: string | undefined): Uint8Array {
  return base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64')
}

const maxUnreadable = 10_000

/** Entries of other tools are read as far as possible. HAR has no hash, so a file cannot be proven complete. */
export class HarReader implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #bufferPath: string
  readonly #budget: DiskBudget
  readonly #scanner = new HarScanner({
    member: (name, json) => this.#member(name, json),
    entry: (json, number) => this.#entry(json, number),
  })
  #buffer: EntryBuffer | null = null
  /** Its attempts are still being read. `heap`: their estimated memory so far, in bytes. */
  #pending: {
    readonly delivery: ExportedDelivery
    readonly attempts: ExportedAttempt[]
    heap: number
  } | null = null
  #head: HarHead | null = null
  #end: HarEnd | null = null
  #creator = ''
  #unreadable = 0

  /** `finish` and `close` delete the temporary file at `bufferPath`. */
  constructor(store: LogStore, problems: Problems, bufferPath: string, budget: DiskBudget) {
    this.#store = store
    this.#problems = problems
    this.#bufferPath = bufferPath
    this.#budget = budget
  }

  write(chunk: Buffer): void {
    this.#scanner.write(chunk)
  }

  close(): void {
    this.#buffer?.close()
    this.#buffer = null
  }

  finish(truncated: string | null): ReadLog {
    this.#flush()
    this.#flushBuffer()
    this.close()
    if (!this.#scanner.sawEntries) {
      throw new AppError(
        'log_unreadable',
        'The file starts like a HAR file, but has no entries. Save it again with the tool that created it.',
      )
    }
    const { deliveries, bytes, firstUs, lastUs } = this.#store.tally()
    this.#reportMissing(truncated, deliveries)
    const head = this.#head
    this.#store.finish(head && toLogHead(head), null)
    const exportedAt = Date.parse(head?.exportedAt ?? '')
    return {
      format: 'har',
      version: head?.version ?? null,
      app: head ? head.app.slice(0, 200) : this.#creator,
      exportedAt: Number.isNaN(exportedAt) ? null : exportedAt,
      redacted: head?.redaction.on ?? null,
      scope: head?.scope ?? null,
      deliveries,
      bytes,
      firstAt: firstUs === null ? null : firstUs / 1000,
      lastAt: lastUs === null ? null : lastUs / 1000,
      state: this.#scanner.over ? 'unverified' : 'cut_off',
      problems: this.#problems.list(),
    }
  }

  #reportMissing(truncated: string | null, deliveries: number): void {
    const announced = this.#end?.deliveries ?? this.#head?.counts.deliveries
    if (announced !== undefined && announced !== deliveries) {
      this.#problems.addFirst(
        `The file should contain ${announced} deliveries, but has ${deliveries}.`,
      )
    }
    if (!this.#scanner.over) {
      this.#problems.addFirst(
        `The file is incomplete: its end is missing. ${deliveries} deliveries were imported.`,
      )
    }
    if (truncated !== null) this.#problems.addFirst(truncated)
  }

  #member(name: string, json: Buffer): void {
    const read = readObject(json, Number.POSITIVE_INFINITY)
    if (!read.ok) return
    if (name === 'creator') {
      const { name: tool, version } = read.value
      this.#creator = [tool, version]
        .filter((part) => typeof part === 'string')
        .join(' ')
        .slice(0, 200)
    } else if (name === '_tabscope') {
      const { version } = read.value
      if (typeof version === 'number' && version > eventLogVersion) throw tooNew(version)
      const head = HarHead.safeParse(read.value)
      if (head.success) this.#head = head.data
    } else if (name === '_tabscopeEnd') {
      const end = HarEnd.safeParse(read.value)
      if (end.success) this.#end = end.data
    }
  }

  #entry(json: Buffer, number: number): void {
    const read = readObject(json, Number.POSITIVE_INFINITY)
    if (!read.ok) return this.#skip(number, this.#scanner.over ? 'it is incomplete' : read.problem)
    if (isObject(read.value['_tabscope'])) return this.#tabscopeEntry(read.value, number, json)
    const startedAt = entryTime(read.value)
    if (startedAt === null) return this.#skip(number, 'startedDateTime is not a valid time')
    this.#buffer ??= createEntryBuffer(this.#bufferPath)
    // It is written twice: to the buffer, then to the store.
    this.#budget.take(json.byteLength)
    this.#buffer.put(number, startedAt, json)
    this.#unreadable = 0
  }

  #tabscopeEntry(value: Readonly<Record<string, unknown>>, number: number, json: Buffer): void {
    const entry = readTabscopeEntry(value)
    if (!entry.ok) return this.#skip(number, entry.problem)
    if (entry.value.kind === 'attempt') {
      const { deliveryId, attempt } = entry.value
      if (this.#pending?.delivery.fields.id === deliveryId) {
        this.#pending.heap += estimateHeap(json)
        assertFits(this.#pending.heap)
        this.#pending.attempts.push(attempt)
      } else this.#skip(number, 'it is an attempt, but its delivery is not before it')
      return
    }
    this.#flush()
    const { delivery } = entry.value
    this.#pending = { delivery, attempts: [], heap: 0 }
    const { fields, omitted, body } = delivery
    if (fields.bodyRedacted || omitted !== null) return
    if (hash('sha256', body, 'hex') === fields.sha256) return
    this.#problems.add(
      `Delivery ${fields.id}: the body was changed after it was captured. Its SHA-256 does not match.`,
    )
  }

  #flush(): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = null
    this.#put({ ...pending.delivery, attempts: pending.attempts }, pending.delivery.fields.id)
  }

  #put(delivery: ExportedDelivery, number: number): void {
    const problem = this.#store.put({ kind: 'delivery', delivery })
    if (problem === null) this.#unreadable = 0
    else this.#skip(number, problem)
  }

  #flushBuffer(): void {
    let id = this.#store.tally().lastId
    for (const { number, json } of this.#buffer?.inOrder() ?? []) {
      const read = readObject(json, Number.POSITIVE_INFINITY)
      const delivery = read.ok ? readEntry(read.value, id + 1) : read
      if (delivery.ok) {
        id += 1
        this.#put(delivery.value, number)
      } else {
        this.#skip(number, delivery.problem)
      }
    }
  }

  #skip(number: number, problem: string): void {
    this.#problems.add(`Skipped entry ${number}: ${problem}.`)
    this.#unreadable += 1
    if (this.#unreadable <= maxUnreadable) return
    throw new AppError(
      'log_unreadable',
      `More than ${maxUnreadable} consecutive entries cannot be read. The file is damaged or not a HAR file.`,
    )
  }
}

/** A later export of this log keeps its redaction note. */
function toLogHead({ format: _format, ...head }: HarHead): LogHead {
  return { kind: 'head', format: 'tabscope-event-log', ...head }
}

/** Entries of other tools may be in any order, and deliveries are numbered by time. */
interface EntryBuffer {
  put(number: number, startedAt: number, json: Buffer): void
  /** Entries of the same time keep their file order. */
  inOrder(): Generator<{ number: number; json: Buffer }, void, undefined>
  close(): void
}

/** A temporary database: memory use does not depend on the size of the imported file. */
function createEntryBuffer(path: string): EntryBuffer {
  createPrivately(path)
  const db = new Database(path)
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.exec('CREATE TABLE entry (number INTEGER PRIMARY KEY, at REAL NOT NULL, json BLOB NOT NULL)')
  db.exec('BEGIN')
  const insert = prepare<[number, number, Buffer]>(db, 'INSERT INTO entry VALUES (?, ?, ?)')
  return {
    put: (number, startedAt, json) => {
      insert.run(number, startedAt, json)
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
