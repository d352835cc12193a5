import { unknownTime } from '#contract/constants.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { formatSize } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'
import { sentByTabscope } from '../formats/har.ts'
import { readEntry, entryTime } from './har-entry.ts'
import type { LogStore } from './log-store.ts'
import { assertImported, type Problems } from './problems.ts'
import { readObject } from './read-line.ts'
import type { LogReader, ReadLog } from './messages.ts'

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
    const { entries, creator } = log
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
      format: 'har',
      version: null,
      app: describeCreator(creator),
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

function describeCreator(creator: unknown): string {
  if (!isObject(creator)) return ''
  return [creator['name'], creator['version']]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 200)
}
