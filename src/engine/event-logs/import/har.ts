import { unknownTime } from '#contract/constants.ts'
import { isObject, type JsonObject, parseJson } from '#shared/json/object.ts'
import { formatSize } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'
import { sentByTabscope } from '../formats/har.ts'
import { readEntry, entryTime } from './har-entry.ts'
import type { LogStore } from './log-store.ts'
import { assertImported, type Problems } from './problems.ts'
import type { LogReader, ReadLog } from './messages.ts'
import type { RequestList } from './request-list.ts'

/** Each of these files is one JSON value, which is read as a whole: 1.7 GiB of memory for the smallest JSON values. Event logs, which are read line by line, may be larger. */
const maxBytes = 64 * 1024 * 1024

/** HAR, or the list of requests of another tool. Entries are read as far as possible. No such file can be proven complete. */
export class HarReader implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #list: RequestList | null
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(store: LogStore, problems: Problems, list: RequestList | null) {
    this.#store = store
    this.#problems = problems
    this.#list = list
  }

  write(chunk: Buffer): void {
    // A copy, because the caller may reuse the buffer.
    this.#chunks.push(Buffer.from(chunk))
    this.#bytes += chunk.byteLength
    if (this.#bytes <= maxBytes) return
    throw new AppError(
      'log_unreadable',
      `The file is larger than ${formatSize(maxBytes)}, the limit for this format. Export fewer deliveries at a time, or as an event log (ndjson).`,
    )
  }

  close(): void {
    this.#chunks = []
  }

  finish(truncated: string | null): ReadLog {
    const { entries, app } = this.#parse()
    if (!Array.isArray(entries)) {
      throw new AppError(
        'log_unreadable',
        'The file starts like a HAR file, but has no entries. Save it again with the tool that created it.',
      )
    }
    this.#readEntries(entries)
    const { deliveries, bytes, firstUs, lastUs } = this.#store.tally
    if (truncated !== null) this.#problems.addFirst(truncated)
    assertImported(deliveries, this.#problems)
    this.#store.finish(null, null)
    return {
      format: this.#list ? 'requests' : 'har',
      version: null,
      app,
      exportedAt: null,
      redacted: null,
      redaction: null,
      scope: null,
      deliveries,
      bytes,
      firstAt: firstUs === null ? null : firstUs / 1000,
      lastAt: lastUs === null ? null : lastUs / 1000,
      state: 'unverified',
      problems: this.#problems.list(),
    }
  }

  #parse(): { readonly entries: unknown; readonly app: string } {
    // An editor may have added a byte order mark.
    const text = Buffer.concat(this.#chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
    this.#chunks = []
    const value = parseJson(text)
    if (value === undefined) {
      throw new AppError(
        'log_unreadable',
        'The file cannot be read: it is not JSON. It may be incomplete. Save it again with the tool that created it.',
      )
    }
    const list = this.#list
    if (list) {
      const entries = requestsIn(value, list.member).map((request) =>
        isObject(request) ? list.entry(request) : request,
      )
      return { entries, app: list.tool }
    }
    const log = isObject(value) && isObject(value['log']) ? value['log'] : {}
    return { entries: log['entries'], app: describeCreator(log['creator']) }
  }

  /** Entries may be in any order, and deliveries are numbered by time. */
  #readEntries(entries: readonly unknown[]): void {
    const read: { value: JsonObject; number: number; at: number }[] = []
    for (const [index, value] of entries.entries()) {
      const number = index + 1
      if (!isObject(value)) this.#skip(number, 'it is not a JSON object')
      else if (String(value['comment']).startsWith(sentByTabscope)) {
        this.#skip(number, 'it is an attempt, not a delivery')
      } else read.push({ value, number, at: entryTime(value) ?? unknownTime })
    }
    let id = this.#store.tally.lastId
    for (const { value, number } of read.toSorted((a, b) => a.at - b.at)) {
      const entry = readEntry(value, id + 1)
      if (entry.ok) {
        id += 1
        for (const note of entry.value.notes) this.#problems.add(`Entry ${number}: ${note}`)
        const problem = this.#store.put({ kind: 'delivery', delivery: entry.value.delivery })
        if (problem !== null) this.#skip(number, problem)
      } else this.#skip(number, entry.problem)
    }
  }

  #skip(number: number, problem: string): void {
    this.#problems.add(`Skipped entry ${number}: ${problem}.`)
  }
}

/** All of them, those of `jq .data`, or a single one. */
function requestsIn(value: unknown, member: string): readonly unknown[] {
  const requests = isObject(value) ? (value[member] ?? value) : value
  return Array.isArray(requests) ? requests : [requests]
}

function describeCreator(creator: unknown): string {
  if (!isObject(creator)) return ''
  return [creator['name'], creator['version']]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 200)
}
