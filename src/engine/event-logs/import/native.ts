import { createHash, type Hash } from 'node:crypto'
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
import { maxFieldChoices } from '#contract/masking.ts'
import { formatSize, plural } from '#shared/text/format.ts'
import type { JsonObject } from '#shared/json/object.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogStore, StoredItem } from './log-store.ts'
import { PendingDelivery } from './pending-delivery.ts'
import { assertImported, type Problems, tooNew } from './problems.ts'
import { readLogLine, readObject, describeIssue, outOfBounds } from './read-line.ts'
import type { LogReader, ReadLog } from './messages.ts'

/** Throws `log_unreadable` if it is invalid, and `log_too_new` for a newer version. */
function readHead(value: JsonObject): LogHead {
  const { version } = value
  if (value['kind'] !== 'head' || value['format'] !== 'tabscope-event-log') {
    throw new AppError(
      'log_unreadable',
      'The file is JSON, but its first line is not the head of an event log. Choose an "Event log" file (ndjson) that Tabscope exported, or a HAR file.',
    )
  }
  if (typeof version === 'number' && version > eventLogVersion) throw tooNew(version)
  const head = LogHead.safeParse(value)
  const problem = head.success ? outOfBounds(head.data) : describeIssue(head.error)
  if (head.success && problem === null) return head.data
  throw new AppError(
    'log_unreadable',
    `The head of the event log is invalid: ${problem}. Export the log again.`,
  )
}

const lineFeed = 0x0a

interface Line {
  readonly bytes: Buffer
  readonly number: number
}

class Lines {
  #chunks: Buffer[] = []
  #bufferedBytes = 0
  #number = 0

  /** The text after the last line feed, if any. */
  unfinished(): Line | null {
    return this.#bufferedBytes === 0 ? null : this.#line(Buffer.alloc(0))
  }

  /** Throws `log_unreadable` for a line that is too long. */
  *push(chunk: Buffer): Generator<Line, void, undefined> {
    let from = 0
    for (;;) {
      const lineEnd = chunk.indexOf(lineFeed, from)
      const end = lineEnd === -1 ? chunk.byteLength : lineEnd
      this.#assertShort(end - from)
      if (lineEnd === -1) break
      yield this.#line(chunk.subarray(from, lineEnd))
      from = lineEnd + 1
    }
    if (from < chunk.byteLength) {
      // A copy, because the caller may reuse the buffer.
      this.#chunks.push(Buffer.from(chunk.subarray(from)))
      this.#bufferedBytes += chunk.byteLength - from
    }
  }

  #line(last: Buffer): Line {
    const bytes = this.#chunks.length === 0 ? last : Buffer.concat([...this.#chunks, last])
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#number += 1
    return { bytes, number: this.#number }
  }

  #assertShort(more: number): void {
    if (this.#bufferedBytes + more <= longestLine) return
    throw new AppError(
      'log_unreadable',
      `Line ${this.#number + 1} is longer than ${formatSize(longestLine)}. No event log has such a line. The file is damaged or not an event log.`,
    )
  }
}

const maxUnreadable = 10_000

/** Skips invalid lines. Rejects a file without a valid head. */
export class NativeReader implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #lines = new Lines()
  /** Of all lines before the current one. */
  readonly #hash: Hash = createHash('sha256')
  #head: LogHead | null = null
  #pending: PendingDelivery | null = null
  #end: LogEnd | null = null
  #hashOk = false
  #afterHead = false
  #afterEnd = false
  #unreadable = 0
  #highestId = 0
  #stored = 0
  #lineCount = 0

  constructor(store: LogStore, problems: Problems) {
    this.#store = store
    this.#problems = problems
  }

  write(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) this.#line(line, true)
  }

  close(): void {
    this.#pending = null
  }

  finish(truncated: string | null): ReadLog {
    const unfinished = this.#lines.unfinished()
    if (unfinished) this.#line(unfinished, false)
    this.#flushPending()
    const head = this.#head
    if (!head) throw new AppError('log_unreadable', 'The file is empty. Choose an event log.')
    const { deliveries, rehearsals, bytes, firstUs, lastUs } = this.#store.tally
    const state = this.#state()
    const announced = this.#end?.deliveries ?? head.counts.deliveries
    const found = [
      ...completenessProblems(state, announced, deliveries),
      ...rehearsalProblems(head.counts.rehearsals ?? 0, rehearsals),
    ]
    for (const sentence of [...found, ...(truncated === null ? [] : [truncated])].toReversed()) {
      this.#problems.addFirst(sentence)
    }
    assertImported(this.#stored, this.#problems)
    this.#store.finish(head, this.#end)
    const exportedAt = Date.parse(head.exportedAt)
    return {
      format: 'ndjson',
      version: head.version,
      app: head.app.slice(0, 200),
      exportedAt: Number.isNaN(exportedAt) ? null : exportedAt,
      redacted: head.redaction.on,
      redaction: redactionOf(head.redaction, this.#end?.removed ?? {}),
      scope: head.scope,
      deliveries,
      ...(rehearsals > 0 && { rehearsals }),
      bytes,
      firstAt: firstUs === null ? null : firstUs / 1000,
      lastAt: lastUs === null ? null : lastUs / 1000,
      state,
      problems: this.#problems.list(),
    }
  }

  #state(): EventLog['state'] {
    if (!this.#end) return 'cut_off'
    return this.#hashOk && !this.#afterEnd ? 'complete' : 'changed'
  }

  #line(line: Line, hasLineFeed: boolean): void {
    this.#lineCount = line.number
    if (this.#end) {
      this.#afterEnd = true
      this.#skip(line.number, 'it follows the end line')
      return
    }
    if (this.#read(line, hasLineFeed)) return
    this.#hash.update(this.#afterHead ? line.bytes : hashedHead(line.bytes.toString('utf8')))
    this.#afterHead = true
    if (hasLineFeed) this.#hash.update('\n')
  }

  /** Returns true for the end line. */
  #read({ bytes, number }: Line, hasLineFeed: boolean): boolean {
    const read = readObject(bytes)
    if (!read.ok) {
      this.#skip(number, hasLineFeed ? read.problem : 'it is incomplete')
      return false
    }
    if (!this.#head) {
      this.#head = readHead(read.value)
      return false
    }
    const line = readLogLine(read.value)
    if (line.ok) return this.#handleLine(line.value, number, bytes)
    this.#skip(number, line.problem)
    return false
  }

  #handleLine(line: LogLine, number: number, bytes: Buffer): boolean {
    if (line.kind === 'part' || line.kind === 'attempt') {
      const problem = this.#pending
        ? addToPending(this.#pending, line, bytes.byteLength)
        : 'it does not belong to the delivery before it'
      if (problem !== null) this.#skip(number, problem)
      if (this.#pending?.complete) this.#flushPending()
      return false
    }
    this.#flushPending()
    switch (line.kind) {
      case 'head':
        this.#skip(number, 'another log starts here. Import it from a separate file')
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
      case 'rehearsal':
      case 'rehearsal_case':
      case 'rehearsal_request':
        this.#put(line, number)
        return false
    }
  }

  #delivery(line: LogDelivery, number: number): void {
    if (line.id < this.#highestId) {
      this.#problems.add(
        `Line ${number}: delivery ${line.id} comes after delivery ${this.#highestId}. Tabscope shows it in order.`,
      )
    }
    this.#highestId = Math.max(this.#highestId, line.id)
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
      this.#problems.addIfChanged(item.delivery)
    }
    this.#put(item, number)
  }

  #put(item: StoredItem, number: number): void {
    const problem = this.#store.put(item)
    if (problem === null) {
      this.#unreadable = 0
      this.#stored += 1
    } else this.#skip(number, problem)
  }

  #skip(number: number, problem: string): void {
    if (!this.#head) throw notALogError(problem)
    this.#problems.add(`Skipped line ${number}: ${problem}.`)
    this.#unreadable += 1
    if (this.#unreadable <= maxUnreadable) return
    throw new AppError(
      'log_unreadable',
      `More than ${maxUnreadable} consecutive lines cannot be read. The file is damaged or not an event log.`,
    )
  }
}

function addToPending(
  pending: PendingDelivery,
  line: LogPart | LogAttemptLine,
  lineBytes: number,
): string | null {
  return line.kind === 'part' ? pending.addPart(line) : pending.addAttempt(line, lineBytes)
}

function notALogError(problem: string): AppError {
  return new AppError(
    'log_unreadable',
    `The first line of the file cannot be read: ${problem}. Choose an event log (ndjson) or a HAR file.`,
  )
}

function rehearsalProblems(announced: number, rehearsals: number): string[] {
  if (announced === rehearsals) return []
  return [
    `The file should contain ${plural(announced, 'rehearsal', 'rehearsals')}, but has ${rehearsals}.`,
  ]
}

/** Most important first. `announced`: deliveries according to the end line or, if that is missing, the head. */
function completenessProblems(
  state: EventLog['state'],
  announced: number,
  deliveries: number,
): string[] {
  const missing = announced - deliveries
  const announcedCount = plural(announced, 'delivery', 'deliveries')
  if (state === 'cut_off') {
    const rest =
      missing > 0
        ? `${missing} of the ${announcedCount} that its head announces ${missing === 1 ? 'is' : 'are'} missing.`
        : `All ${announcedCount} that its head announces are present.`
    return [`The file is incomplete: its end line is missing. ${rest}`]
  }
  return [
    ...(state === 'changed'
      ? ['The file was changed after it was exported: its SHA-256 does not match its end line.']
      : []),
    ...(missing === 0 ? [] : [`The file should contain ${announcedCount}, but has ${deliveries}.`]),
  ]
}

/** For the list of logs. Null: not redacted. */
export function redactionOf(
  { on, list, kept, masked }: LogHead['redaction'],
  removed: Readonly<Record<string, number>>,
): EventLog['redaction'] {
  return on ? { list, kept: shorten(kept), masked: shorten(masked), removed } : null
}

/** The file may be hostile. */
function shorten(fields: readonly string[]): string[] {
  return fields.slice(0, maxFieldChoices).map((field) => field.slice(0, 500))
}
