import { parseJson } from '#shared/json/object.ts'
import { formatSize } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'

const maxEntryBytes = 256 * 1024 * 1024
/** Longer members of the log, other than entries, are skipped. */
const maxMemberBytes = 8 * 1024 * 1024

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

export interface HarParts {
  /** Receives a member of `log` other than `entries`, as JSON. */
  readonly member: (name: string, json: Buffer) => void
  /** Receives an entry as JSON. `number` starts at 1. */
  readonly entry: (json: Buffer, number: number) => void
}

/**
 * Splits `{"log":{…,"entries":[…],…}}` into the members of its log and its entries, one at a time, so files may have any length. It only looks at
 * brackets and strings; the receiver validates each piece.
 */
export class HarScanner {
  readonly #parts: HarParts
  readonly #maxEntryBytes: number
  #depth = 0
  #inString = false
  #escaped = false
  #over = false
  #inEntries = false
  #entries = 0
  #sawEntries = false
  /** Null: a name is expected. */
  #name: string | null = null
  #chunks: Buffer[] = []
  #bufferedBytes = 0
  #dropped = false

  constructor(parts: HarParts, limit = maxEntryBytes) {
    this.#parts = parts
    this.#maxEntryBytes = limit
  }

  get over(): boolean {
    return this.#over
  }

  get sawEntries(): boolean {
    return this.#sawEntries
  }

  /** Throws `log_unreadable` for an entry that is too long. */
  write(chunk: Buffer): void {
    let from = 0
    for (let at = 0; at < chunk.byteLength && !this.#over; at += 1) {
      if (this.#inString) {
        at = this.#skipString(chunk, at)
        continue
      }
      const byte = chunk[at] ?? 0
      if (byte === quote) this.#inString = true
      else if (byte === 0x7b || byte === 0x5b) {
        this.#depth += 1
        if (this.#depth === 2) from = at + 1
        if (this.#depth === 3 && this.#name === 'entries') {
          this.#beginEntries()
          from = at + 1
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        if (this.#closes(chunk, from, at)) from = at + 1
        this.#depth -= 1
        if (this.#depth <= 1) this.#over = true
      } else if (this.#splits(byte)) {
        this.#append(chunk.subarray(from, at))
        this.#split(byte)
        from = at + 1
      }
    }
    if (!this.#over && this.#depth >= 2) this.#append(chunk.subarray(from))
  }

  /** Returns the index of its last byte. */
  #skipString(chunk: Buffer, from: number): number {
    let at = from
    if (this.#escaped) {
      this.#escaped = false
      at += 1
    }
    for (;;) {
      const end = chunk.indexOf(quote, at)
      const stop = end === -1 ? chunk.byteLength : end
      let before = stop - 1
      while (before >= at && chunk[before] === backslash) before -= 1
      const isEscaped = (stop - 1 - before) % 2 === 1
      if (end === -1) {
        this.#escaped = isEscaped
        return chunk.byteLength
      }
      if (!isEscaped) {
        this.#inString = false
        return end
      }
      at = end + 1
    }
  }

  #splits(byte: number): boolean {
    if (this.#inEntries) return this.#depth === 3 && byte === comma
    return this.#depth === 2 && (byte === comma || (byte === colon && this.#name === null))
  }

  #split(byte: number): void {
    if (byte === colon) this.#name = parseName(this.#takeBuffered())
    else this.#emit()
  }

  #closes(chunk: Buffer, from: number, at: number): boolean {
    const endsEntries = this.#inEntries && this.#depth === 3
    if (!endsEntries && (this.#inEntries || this.#depth !== 2)) return false
    this.#append(chunk.subarray(from, at))
    this.#emit()
    if (endsEntries) {
      this.#inEntries = false
      // There is no value between this bracket and the next comma.
      this.#name = ''
    }
    return true
  }

  #beginEntries(): void {
    this.#inEntries = true
    this.#sawEntries = true
    this.#takeBuffered()
  }

  #emit(): void {
    const isComplete = !this.#dropped
    const json = this.#takeBuffered()
    const name = this.#name
    if (this.#inEntries) {
      if (json.toString('latin1', 0, 16).trim() === '' && json.byteLength < 16) return
      this.#entries += 1
      this.#parts.entry(json, this.#entries)
      return
    }
    this.#name = null
    if (name !== null && name !== '' && isComplete) this.#parts.member(name, json)
  }

  #append(bytes: Buffer): void {
    if (bytes.byteLength === 0 || this.#dropped) return
    const limit = this.#inEntries ? this.#maxEntryBytes : maxMemberBytes
    if (this.#bufferedBytes + bytes.byteLength > limit) {
      if (this.#inEntries) throw tooLong(this.#entries + 1, limit)
      this.#takeBuffered()
      this.#dropped = true
      return
    }
    this.#chunks.push(Buffer.from(bytes))
    this.#bufferedBytes += bytes.byteLength
  }

  #takeBuffered(): Buffer {
    const [first] = this.#chunks
    const json = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#dropped = false
    return json
  }
}

function parseName(json: Buffer): string {
  const name = parseJson(json.toString('utf8'))
  return typeof name === 'string' ? name : ''
}

function tooLong(number: number, limit: number): AppError {
  return new AppError(
    'log_unreadable',
    `Entry ${number} of the HAR file is longer than ${formatSize(limit)}. No delivery is that large. The file is damaged or not a HAR file.`,
  )
}
