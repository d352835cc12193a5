import {
  type HarAttempt,
  type HarDelivery,
  HarEnd,
  HarEntryMore,
  HarHead,
} from '#contract/event-log-har.ts'
import { unknownTime } from '#contract/constants.ts'
import { eventLogVersion, type LogHead } from '#contract/event-log.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { formatSize } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { readEntry, readHeaders, entryTime } from './har-entry.ts'
import type { LogStore } from './log-store.ts'
import { redactionOf } from './native.ts'
import { assertImported, type Problems, tooNew } from './problems.ts'
import { describeIssue, outOfBounds, type Read, readObject } from './read-line.ts'
import type { LogReader, ReadLog } from './messages.ts'
import type { Header } from '#contract/models.ts'

/** What HAR itself has of an entry that Tabscope exported. */
interface Standard {
  readonly request: { readonly headers: Header[]; readonly postData: JsonObject }
  readonly response: { readonly headers: Header[]; readonly content: JsonObject }
}

function standardOf(value: JsonObject): Standard {
  const { request, response } = {
    request: member(value, 'request'),
    response: member(value, 'response'),
  }
  return {
    request: {
      headers: [...readHeaders(request['headers']).headers],
      postData: member(request, 'postData'),
    },
    response: {
      headers: [...readHeaders(response['headers']).headers],
      content: member(response, 'content'),
    },
  }
}

function member(value: JsonObject, name: string): JsonObject {
  const found = value[name]
  return isObject(found) ? found : {}
}

type TabscopeEntry =
  | { readonly kind: 'delivery'; readonly delivery: ExportedDelivery; readonly attempts: number }
  | { readonly kind: 'attempt'; readonly deliveryId: number; readonly attempt: ExportedAttempt }

function readTabscopeEntry(value: JsonObject): Read<TabscopeEntry> {
  const ownData = HarEntryMore.safeParse(value['_tabscope'])
  if (!ownData.success) return { ok: false, problem: `_tabscope: ${describeIssue(ownData.error)}` }
  const { data } = ownData
  const standard = standardOf(value)
  return data.kind === 'delivery'
    ? deliveryEntry(data, standard)
    : { ok: true, value: attemptEntry(data, standard) }
}

function deliveryEntry(
  { fields, bodyBase64, omitted, attempts }: HarDelivery,
  { request }: Standard,
): Read<TabscopeEntry> {
  const fieldsWithHeaders = { ...fields, headers: request.headers }
  const problem = outOfBounds({
    kind: 'delivery',
    ...fieldsWithHeaders,
    body: { text: '' },
    attempts: [],
  })
  if (problem !== null) return { ok: false, problem }
  const delivery = {
    fields: fieldsWithHeaders,
    body: bytesOf(request.postData['text'], bodyBase64),
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
  const answerBody = bytesOf(
    encoding === 'base64' ? '' : text,
    encoding === 'base64' ? text : undefined,
  )
  return {
    kind: 'attempt',
    deliveryId,
    attempt: {
      fields: {
        ...fields,
        request: { ...fields.request, headers: request.headers },
        response: fields.response && { ...fields.response, headers: response.headers },
      },
      requestBody: bodyAsCaptured ? null : bytesOf(request.postData['text'], bodyBase64),
      answerBody: answerBodyKept ? answerBody : null,
    },
  }
}

function bytesOf(text: unknown, base64: unknown): Uint8Array {
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64')
  return Buffer.from(typeof text === 'string' ? text : '', 'utf8')
}

/** A HAR file is one JSON value, which is read as a whole: 1.7 GiB of memory for the smallest JSON values. Event logs, which are read line by line, may be larger. */
const maxBytes = 64 * 1024 * 1024

/** Entries of other tools are read as far as possible. HAR has no hash, so a file cannot be proven complete. */
export class HarReader implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(store: LogStore, problems: Problems) {
    this.#store = store
    this.#problems = problems
  }

  write(chunk: Buffer): void {
    // A copy, because the caller may reuse the buffer.
    this.#chunks.push(Buffer.from(chunk))
    this.#bytes += chunk.byteLength
    if (this.#bytes <= maxBytes) return
    throw new AppError(
      'log_unreadable',
      `The HAR file is larger than ${formatSize(maxBytes)}, the limit for this format. Export fewer deliveries at a time, or as an event log (ndjson).`,
    )
  }

  close(): void {
    this.#chunks = []
  }

  finish(truncated: string | null): ReadLog {
    const log = this.#parse()
    const { entries, creator, _tabscope: ownHead } = log
    if (!Array.isArray(entries)) {
      throw new AppError(
        'log_unreadable',
        'The file starts like a HAR file, but has no entries. Save it again with the tool that created it.',
      )
    }
    if (isObject(ownHead) && typeof ownHead['version'] === 'number') {
      if (ownHead['version'] > eventLogVersion) throw tooNew(ownHead['version'])
    }
    const head = HarHead.safeParse(ownHead).data ?? null
    this.#readEntries(entries)
    const { deliveries, bytes, firstUs, lastUs } = this.#store.tally
    const end = HarEnd.safeParse(log['_tabscopeEnd']).data
    const announced = end?.deliveries ?? head?.counts.deliveries
    if (announced !== undefined && announced !== deliveries) {
      this.#problems.addFirst(
        `The file should contain ${announced} deliveries, but has ${deliveries}.`,
      )
    }
    if (truncated !== null) this.#problems.addFirst(truncated)
    assertImported(deliveries, this.#problems)
    this.#store.finish(head && toLogHead(head), null)
    const exportedAt = Date.parse(head?.exportedAt ?? '')
    return {
      format: 'har',
      version: head?.version ?? null,
      app: head ? head.app.slice(0, 200) : describeCreator(creator),
      exportedAt: Number.isNaN(exportedAt) ? null : exportedAt,
      redacted: head?.redaction.on ?? null,
      redaction: head && redactionOf(head.redaction, end?.removed ?? {}),
      scope: head?.scope ?? null,
      deliveries,
      bytes,
      firstAt: firstUs === null ? null : firstUs / 1000,
      lastAt: lastUs === null ? null : lastUs / 1000,
      state: 'unverified',
      problems: this.#problems.list(),
    }
  }

  #parse(): JsonObject {
    const read = readObject(Buffer.concat(this.#chunks))
    this.#chunks = []
    if (!read.ok) {
      throw new AppError(
        'log_unreadable',
        `The HAR file cannot be read: ${read.problem}. It may be incomplete. Save it again with the tool that created it.`,
      )
    }
    const { log } = read.value
    return isObject(log) ? log : {}
  }

  /** Entries of other tools may be in any order, and deliveries are numbered by time. */
  #readEntries(entries: readonly unknown[]): void {
    const others: { readonly value: JsonObject; readonly number: number; readonly at: number }[] =
      []
    let pending: {
      readonly delivery: ExportedDelivery
      readonly attempts: ExportedAttempt[]
    } | null = null
    const flush = (): void => {
      if (pending) {
        const { delivery, attempts } = pending
        this.#put({ ...delivery, attempts }, delivery.fields.id)
      }
      pending = null
    }
    for (const [index, value] of entries.entries()) {
      const number = index + 1
      if (!isObject(value)) {
        this.#skip(number, 'it is not a JSON object')
      } else if (isObject(value['_tabscope'])) {
        const entry = readTabscopeEntry(value)
        if (!entry.ok && value['_tabscope']['kind'] !== 'attempt') {
          this.#problems.add(`Entry ${number}: only its HAR fields were read. ${entry.problem}.`)
          others.push({ value, number, at: entryTime(value) ?? unknownTime })
        } else if (!entry.ok) {
          this.#skip(number, entry.problem)
        } else if (entry.value.kind === 'delivery') {
          flush()
          pending = { delivery: entry.value.delivery, attempts: [] }
          this.#problems.addIfChanged(entry.value.delivery)
        } else if (pending?.delivery.fields.id === entry.value.deliveryId) {
          pending.attempts.push(entry.value.attempt)
        } else this.#skip(number, 'it is an attempt, but its delivery is not before it')
      } else {
        others.push({ value, number, at: entryTime(value) ?? unknownTime })
      }
    }
    flush()
    let id = this.#store.tally.lastId
    for (const { value, number } of others.toSorted((a, b) => a.at - b.at)) {
      const entry = readEntry(value, id + 1)
      if (entry.ok) {
        id += 1
        for (const note of entry.value.notes) this.#problems.add(`Entry ${number}: ${note}`)
        this.#put(entry.value.delivery, number)
      } else this.#skip(number, entry.problem)
    }
  }

  #put(delivery: ExportedDelivery, number: number): void {
    const problem = this.#store.put({ kind: 'delivery', delivery })
    if (problem !== null) this.#skip(number, problem)
  }

  #skip(number: number, problem: string): void {
    this.#problems.add(`Skipped entry ${number}: ${problem}.`)
  }
}

function describeCreator(creator: unknown): string {
  if (!isObject(creator)) return ''
  return [creator['name'], creator['version']]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 200)
}

/** A later export of this log keeps its redaction note. */
function toLogHead({ format: _format, ...head }: HarHead): LogHead {
  return { kind: 'head', format: 'tabscope-event-log', ...head }
}
