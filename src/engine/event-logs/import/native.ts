import { createHash, hash, type Hash } from 'node:crypto'
import {
  eventLogVersion,
  hashedHead,
  type LogAttemptLine,
  type LogDelivery,
  type LogEnd,
  LogHead,
  type LogLine,
  type LogPart,
  longestLine,
} from '#contract/event-log.ts'
import type { EventLog } from '#contract/logs.ts'
import { plural } from '#shared/text/format.ts'
import type { JsonObject } from '#shared/json/object.ts'
import { AppError } from '../../platform/errors.ts'
import type { DeliveryItem, LogItem } from '../items.ts'
import type { LogStore } from './log-store.ts'
import { heapOf } from './memory.ts'
import { PendingDelivery } from './pending-delivery.ts'
import { type Problems, tooNew } from './problems.ts'
import { readLogLine, readObject, whyNot } from './read-line.ts'
import type { LogReader, ReadLog } from './messages.ts'

/** One step from a version to the next. Published ones are never edited. */
export interface Upgrade {
  /** The version that it reads; it writes the next. */
  readonly from: number
  /** Begins a log; what it returns is given each line in turn, the head first. Null: the line is no more. */
  readonly begin: () => (line: JsonObject) => JsonObject | null
}

/** In order, one file each. Version 1 is the first. */
const upgrades: readonly Upgrade[] = []

/** All steps from a version to the one that is written now, as one. */
export function upgradeFrom(
  version: number,
  list: readonly Upgrade[] = upgrades,
  to = eventLogVersion,
): (line: JsonObject) => JsonObject | null {
  const steps = list
    .filter(({ from }) => from >= version && from < to)
    .toSorted((a, b) => a.from - b.from)
    .map((step) => step.begin())
  return (line) => {
    let upgraded: JsonObject | null = line
    for (const step of steps) upgraded = upgraded && step(upgraded)
    return upgraded
  }
}

/** How a log begins. */
interface ReadHead {
  readonly head: LogHead
  /** As it stood in the file. */
  readonly version: number
  /** For the lines that follow; null: they are of the version that is written now. */
  readonly upgrade: ((line: JsonObject) => JsonObject | null) | null
}

/** Throws `log_unreadable` for what is no head, `log_too_new` for one of a version that is not known here. */
function readHead(value: JsonObject): ReadHead {
  const { version } = value
  if (value['kind'] !== 'head' || value['format'] !== 'tabscope-event-log') {
    throw new AppError(
      'log_unreadable',
      'The file is JSON, but its first line is not the head of an event log. Choose a file that Tabscope has written as "Event log" (ndjson), or a HAR file.',
    )
  }
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw new AppError(
      'log_unreadable',
      'The head of the event log has no version. Export it again from its source.',
    )
  }
  if (version > eventLogVersion) throw tooNew(version)
  const upgrade = version === eventLogVersion ? null : upgradeFrom(version)
  const head = LogHead.safeParse(upgrade ? upgrade(value) : value)
  if (head.success) return { head: head.data, version, upgrade }
  throw new AppError(
    'log_unreadable',
    `The head of the event log cannot be read: ${whyNot(head.error)}. Export it again from its source.`,
  )
}

/** A character of UTF-16 takes at most three bytes in UTF-8. */
const longestLineBytes = longestLine * 3
const lineFeed = 0x0a

/** One line without its end. */
interface Line {
  readonly bytes: Buffer
  /** From 1. */
  readonly number: number
}

/** Cuts bytes into lines, and holds no more than one of them. */
class Lines {
  readonly #limit: number
  #held: Buffer[] = []
  #heldBytes = 0
  #number = 0

  constructor(limit = longestLineBytes) {
    this.#limit = limit
  }

  /** Bytes of the line that has not ended yet. */
  get open(): number {
    return this.#heldBytes
  }

  /** The lines that end in these bytes. Throws `log_unreadable` for one that is too long. */
  *take(chunk: Buffer): Generator<Line, void, undefined> {
    let from = 0
    for (;;) {
      const to = chunk.indexOf(lineFeed, from)
      const end = to === -1 ? chunk.byteLength : to
      this.#assertShort(end - from)
      if (to === -1) break
      yield this.#line(chunk.subarray(from, to))
      from = to + 1
    }
    if (from < chunk.byteLength) {
      // A copy: whoever gave the bytes may use them again.
      this.#held.push(Buffer.from(chunk.subarray(from)))
      this.#heldBytes += chunk.byteLength - from
    }
  }

  /** What stands behind the last line feed; null: nothing. */
  rest(): Line | null {
    return this.#heldBytes === 0 ? null : this.#line(Buffer.alloc(0))
  }

  #line(last: Buffer): Line {
    const bytes = this.#held.length === 0 ? last : Buffer.concat([...this.#held, last])
    this.#held = []
    this.#heldBytes = 0
    this.#number += 1
    return { bytes, number: this.#number }
  }

  #assertShort(more: number): void {
    if (this.#heldBytes + more <= this.#limit) return
    throw new AppError(
      'log_unreadable',
      `Line ${this.#number + 1} is longer than ${Math.round(this.#limit / 3 / 1024 / 1024)} million characters. No event log has such a line: the file is something else, or it is damaged.`,
    )
  }
}

/** So many lines in a row that cannot be read are no event log. */
const mostUnreadable = 10_000

/** Reads the native format. What a line is wrong about costs that line; without a head there is no log. */
export class NativeReader implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #lines = new Lines()
  /** Of all bytes up to the line that is read. */
  readonly #hash: Hash = createHash('sha256')
  #head: LogHead | null = null
  #version = eventLogVersion
  #upgrade: ((line: JsonObject) => JsonObject | null) | null = null
  #pending: PendingDelivery | null = null
  #end: LogEnd | null = null
  #hashOk = false
  #behindHead = false
  #behindEnd = false
  #unreadable = 0
  #newest = 0
  #lineCount = 0

  constructor(store: LogStore, problems: Problems) {
    this.#store = store
    this.#problems = problems
  }

  take(chunk: Buffer): void {
    for (const line of this.#lines.take(chunk)) this.#line(line, true)
  }

  /** It puts nothing aside. */
  close(): void {
    this.#pending = null
  }

  finish(torn: string | null): ReadLog {
    const rest = this.#lines.rest()
    if (rest) this.#line(rest, false)
    this.#flushPending()
    const head = this.#head
    if (!head) throw new AppError('log_unreadable', 'The file is empty. Choose an event log.')
    const { deliveries, bytes, firstUs, lastUs } = this.#store.tally()
    const state = this.#state()
    const announced = this.#end?.deliveries ?? head.counts.deliveries
    const words = missingWords(state, announced, deliveries)
    for (const sentence of [...words, ...(torn === null ? [] : [torn])].toReversed()) {
      this.#problems.addFirst(sentence)
    }
    this.#store.finish(head, this.#end)
    const exportedAt = Date.parse(head.exportedAt)
    return {
      format: 'ndjson',
      version: this.#version,
      app: head.app.slice(0, 200),
      exportedAt: Number.isNaN(exportedAt) ? null : exportedAt,
      redacted: head.redaction.on,
      scope: head.scope,
      deliveries,
      bytes,
      firstAt: firstUs === null ? null : firstUs / 1000,
      lastAt: lastUs === null ? null : lastUs / 1000,
      state,
      problems: this.#problems.list(),
    }
  }

  #state(): EventLog['state'] {
    if (!this.#end) return 'cut_off'
    return this.#hashOk && !this.#behindEnd ? 'whole' : 'changed'
  }

  #line(line: Line, ended: boolean): void {
    this.#lineCount = line.number
    if (this.#end) {
      this.#behindEnd = true
      this.#leaveOut(line.number, 'it is after the last line')
      return
    }
    if (this.#read(line, ended)) return
    this.#hash.update(this.#behindHead ? line.bytes : hashedHead(line.bytes.toString('utf8')))
    this.#behindHead = true
    if (ended) this.#hash.update('\n')
  }

  /** True for the last line. */
  #read({ bytes, number }: Line, ended: boolean): boolean {
    const read = readObject(withoutMark(bytes, number))
    if (!read.ok) {
      this.#leaveOut(number, ended ? read.why : 'it breaks off')
      return false
    }
    if (!this.#head) {
      ;({ head: this.#head, version: this.#version, upgrade: this.#upgrade } = readHead(read.value))
      return false
    }
    const upgraded = this.#upgrade ? this.#upgrade(read.value) : read.value
    if (!upgraded) return false
    const line = readLogLine(upgraded)
    if (line.ok) return this.#take(line.value, number, bytes)
    this.#leaveOut(number, line.why)
    return false
  }

  #take(line: LogLine, number: number, bytes: Buffer): boolean {
    if (line.kind === 'part' || line.kind === 'attempt') {
      const why = this.#pending
        ? takenBy(this.#pending, line, bytes)
        : 'it belongs to no delivery before it'
      if (why !== null) this.#leaveOut(number, why)
      if (this.#pending?.complete) this.#flushPending()
      return false
    }
    this.#flushPending()
    switch (line.kind) {
      case 'head':
        this.#leaveOut(number, 'another log starts here: import it from a separate file')
        return false
      case 'delivery':
        this.#delivery(line, number)
        return false
      case 'end':
        this.#end = line
        this.#hashOk = this.#hash.copy().digest('hex') === line.sha256
        return true
      case 'integration':
      case 'endpoint':
      case 'token':
      case 'run':
        this.#put(line, number)
        return false
    }
  }

  #delivery(line: LogDelivery, number: number): void {
    if (line.id < this.#newest) {
      this.#problems.add(
        `Line ${number}: delivery ${line.id} stands behind ${this.#newest}. It is shown in order.`,
      )
    }
    this.#newest = Math.max(this.#newest, line.id)
    const pending = new PendingDelivery(line)
    this.#pending = pending
    if (pending.complete) this.#flushPending(number)
  }

  #flushPending(number = this.#lineCount): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = null
    const item = pending.item()
    if (!pending.complete) {
      this.#problems.add(`Delivery ${pending.id}: attempts or parts of a body are missing.`)
    } else {
      this.#compareBody(item)
    }
    this.#put(item, number)
  }

  #compareBody({ delivery: { fields, body, omitted } }: DeliveryItem): void {
    if (fields.bodyRedacted || omitted !== null) return
    if (hash('sha256', body, 'hex') === fields.sha256) return
    this.#problems.add(
      `Delivery ${fields.id}: its body is not the one that was captured; the SHA-256 is another.`,
    )
  }

  #put(item: LogItem, number: number): void {
    const why = this.#store.put(item)
    if (why === null) this.#unreadable = 0
    else this.#leaveOut(number, why)
  }

  #leaveOut(number: number, why: string): void {
    if (!this.#head) throw notALog(why)
    this.#problems.add(`Line ${number} was left out: ${why}.`)
    this.#unreadable += 1
    if (this.#unreadable <= mostUnreadable) return
    throw new AppError(
      'log_unreadable',
      `More than ${mostUnreadable} lines one after the other cannot be read. The file is damaged, or no event log.`,
    )
  }
}

function takenBy(
  pending: PendingDelivery,
  line: LogPart | LogAttemptLine,
  bytes: Buffer,
): string | null {
  return line.kind === 'part' ? pending.take(line) : pending.takeAttempt(line, heapOf(bytes))
}

function notALog(why: string): AppError {
  return new AppError(
    'log_unreadable',
    `The first line of the file cannot be read: ${why}. Choose an event log (ndjson) or a HAR file.`,
  )
}

/** An editor may have put a byte order mark at the beginning. */
function withoutMark(bytes: Buffer, number: number): Buffer {
  const marked = number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return marked ? bytes.subarray(3) : bytes
}

/** What is to be known of all of a log, as sentences, the weightiest first. `announced`: by its end, or where that is missing by its head. */
function missingWords(state: EventLog['state'], announced: number, deliveries: number): string[] {
  const missing = announced - deliveries
  const counted = plural(announced, 'delivery', 'deliveries')
  if (state === 'cut_off') {
    const rest =
      missing > 0
        ? `Of ${counted} that its head announces, ${missing} ${missing === 1 ? 'is' : 'are'} missing.`
        : `All ${counted} that its head announces are there.`
    return [`The file ends without its last line: it was cut off. ${rest}`]
  }
  return [
    ...(state === 'changed'
      ? ['The file was changed after it was written: its SHA-256 is not the one in its last line.']
      : []),
    ...(missing === 0
      ? []
      : [
          `The file should hold ${counted}, and ${deliveries} ${deliveries === 1 ? 'is' : 'are'} here.`,
        ]),
  ]
}
