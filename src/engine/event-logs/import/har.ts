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
import { deliveryOf, timeOf } from './har-entry.ts'
import { HarScanner } from './har-scanner.ts'
import type { LogStore } from './log-store.ts'
import { assertFits, heapOf } from './memory.ts'
import { type Problems, tooNew } from './problems.ts'
import { type Read, readObject, whyNot } from './read-line.ts'
import type { LogReader, ReadLog } from './messages.ts'
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { prepare } from '../../platform/sqlite.ts'
import { createPrivately } from '../../store/private-files.ts'
import { z } from 'zod'
import type { Header } from '#contract/models.ts'
import { outOfBounds } from './bounds.ts'

const Pairs = z.array(z.object({ name: z.string(), value: z.string() }))

/** What of an entry of ours stands where HAR has a place for it. */
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

type OurEntry =
  | { readonly kind: 'delivery'; readonly delivery: ExportedDelivery; readonly attempts: number }
  | { readonly kind: 'attempt'; readonly deliveryId: number; readonly attempt: ExportedAttempt }

/** An entry that Tabscope has written, as it was. */
function ourEntry(value: JsonObject): Read<OurEntry> {
  const standard = Standard.safeParse(value)
  if (!standard.success) return { ok: false, why: whyNot(standard.error) }
  const more = HarEntryMore.safeParse(value['_tabscope'])
  if (!more.success) return { ok: false, why: `_tabscope: ${whyNot(more.error)}` }
  const { data } = more
  return data.kind === 'delivery'
    ? deliveryEntry(data, standard.data)
    : { ok: true, value: attemptEntry(data, standard.data) }
}

function deliveryEntry(
  { fields, bodyBase64, omitted, attempts }: HarDelivery,
  { request }: Standard,
): Read<OurEntry> {
  const all = { ...fields, headers: headersOf(request.headers) }
  const why = outOfBounds({ kind: 'delivery', ...all, body: { text: '' }, attempts: [] })
  if (why !== null) return { ok: false, why }
  const delivery = {
    fields: all,
    body: bytesOf(request.postData?.text, bodyBase64),
    omitted: omitted ?? null,
    attempts: [],
  }
  return { ok: true, value: { kind: 'delivery', delivery, attempts } }
}

function attemptEntry(
  { deliveryId, fields, bodyAsCaptured, bodyBase64, answerBodyKept }: HarAttempt,
  { request, response }: Standard,
): OurEntry {
  const { text, encoding } = response.content
  const answerBody = Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8')
  return {
    kind: 'attempt',
    deliveryId,
    attempt: {
      fields: {
        ...fields,
        request: { ...fields.request, headers: headersOf(request.headers) },
        answer: fields.answer && { ...fields.answer, headers: headersOf(response.headers) },
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

/** So many entries in a row that cannot be read are no HAR file. */
const mostUnreadable = 10_000

/** Reads HAR 1.2: what Tabscope wrote, as it was; what others wrote, as well as may be. It has no hash, so nothing proves that it is whole. */
export class HarReader implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #asidePath: string
  readonly #room: DiskBudget
  readonly #scanner = new HarScanner({
    member: (name, json) => this.#member(name, json),
    entry: (json, number) => this.#entry(json, number),
  })
  #aside: EntriesAside | null = null
  /** `heap`: what its attempts take of it so far, in bytes. */
  #pending: {
    readonly delivery: ExportedDelivery
    readonly attempts: ExportedAttempt[]
    heap: number
  } | null = null
  #head: HarHead | null = null
  #end: HarEnd | null = null
  #creator = ''
  #unreadable = 0

  /** `asidePath`: of a file that is gone when it is finished or closed. */
  constructor(store: LogStore, problems: Problems, asidePath: string, room: DiskBudget) {
    this.#store = store
    this.#problems = problems
    this.#asidePath = asidePath
    this.#room = room
  }

  take(chunk: Buffer): void {
    this.#scanner.take(chunk)
  }

  close(): void {
    this.#aside?.close()
    this.#aside = null
  }

  finish(torn: string | null): ReadLog {
    this.#flush()
    this.#takeAside()
    this.close()
    if (!this.#scanner.sawEntries) {
      throw new AppError(
        'log_unreadable',
        'The file starts like a HAR file, but has no entries. Save it again in the tool that created it.',
      )
    }
    const { deliveries, bytes, firstUs, lastUs } = this.#store.tally()
    this.#tellMissing(torn, deliveries)
    const head = this.#head
    this.#store.finish(head && headOf(head), null)
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
      state: this.#scanner.over ? 'unproven' : 'cut_off',
      problems: this.#problems.list(),
    }
  }

  #tellMissing(torn: string | null, deliveries: number): void {
    const announced = this.#end?.deliveries ?? this.#head?.counts.deliveries
    if (announced !== undefined && announced !== deliveries) {
      this.#problems.addFirst(
        `The file should hold ${announced} deliveries, and ${deliveries} are here.`,
      )
    }
    if (!this.#scanner.over) {
      this.#problems.addFirst(
        `The file breaks off: it was cut off. ${deliveries} deliveries could be read.`,
      )
    }
    if (torn !== null) this.#problems.addFirst(torn)
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
    if (!read.ok) return this.#leaveOut(number, this.#scanner.over ? 'it breaks off' : read.why)
    if (isObject(read.value['_tabscope'])) return this.#ours(read.value, number, json)
    const at = timeOf(read.value)
    if (at === null) return this.#leaveOut(number, 'startedDateTime: it is no time')
    this.#aside ??= createEntriesAside(this.#asidePath)
    // It is written twice: aside, and then to the store.
    this.#room.take(json.byteLength)
    this.#aside.put(number, at, json)
    this.#unreadable = 0
  }

  #ours(value: Readonly<Record<string, unknown>>, number: number, json: Buffer): void {
    const entry = ourEntry(value)
    if (!entry.ok) return this.#leaveOut(number, entry.why)
    if (entry.value.kind === 'attempt') {
      const { deliveryId, attempt } = entry.value
      if (this.#pending?.delivery.fields.id === deliveryId) {
        this.#pending.heap += heapOf(json)
        assertFits(this.#pending.heap)
        this.#pending.attempts.push(attempt)
      } else this.#leaveOut(number, 'it is an attempt of a delivery that does not stand before it')
      return
    }
    this.#flush()
    const { delivery } = entry.value
    this.#pending = { delivery, attempts: [], heap: 0 }
    const { fields, omitted, body } = delivery
    if (fields.bodyRedacted || omitted !== null) return
    if (hash('sha256', body, 'hex') === fields.sha256) return
    this.#problems.add(
      `Delivery ${fields.id}: its body is not the one that was captured; the SHA-256 is another.`,
    )
  }

  /** A delivery goes in with the attempts that follow it. */
  #flush(): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = null
    this.#put({ ...pending.delivery, attempts: pending.attempts }, pending.delivery.fields.id)
  }

  #put(delivery: ExportedDelivery, number: number): void {
    const why = this.#store.put({ kind: 'delivery', delivery })
    if (why === null) this.#unreadable = 0
    else this.#leaveOut(number, why)
  }

  #takeAside(): void {
    let id = this.#store.tally().lastId
    for (const { number, json } of this.#aside?.inOrder() ?? []) {
      const read = readObject(json, Number.POSITIVE_INFINITY)
      const delivery = read.ok ? deliveryOf(read.value, id + 1) : read
      if (delivery.ok) {
        id += 1
        this.#put(delivery.value, number)
      } else {
        this.#leaveOut(number, delivery.why)
      }
    }
  }

  #leaveOut(number: number, why: string): void {
    this.#problems.add(`Entry ${number} was left out: ${why}.`)
    this.#unreadable += 1
    if (this.#unreadable <= mostUnreadable) return
    throw new AppError(
      'log_unreadable',
      `More than ${mostUnreadable} entries one after the other cannot be read. The file is damaged, or no HAR file.`,
    )
  }
}

/** So that what is exported of it says the same of its redaction. */
function headOf({ format: _format, ...head }: HarHead): LogHead {
  return { kind: 'head', format: 'tabscope-event-log', ...head }
}

/** Entries that are put aside until all have come: tools write them in any order, and they get their numbers in that of time. */
interface EntriesAside {
  put(number: number, at: number, json: Buffer): void
  /** In order of time; those of one moment as they came. */
  inOrder(): Generator<{ number: number; json: Buffer }, void, undefined>
  /** Nothing of it stays. */
  close(): void
}

/** In a file of its own at `path`, so that no file takes memory by being long. */
function createEntriesAside(path: string): EntriesAside {
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
