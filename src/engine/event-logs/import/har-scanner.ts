import { formatSize } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'

/** No entry is longer, in bytes. */
const longestEntry = 256 * 1024 * 1024
/** What else stands in the log and is longer is passed over. */
const longestMember = 8 * 1024 * 1024

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

export interface HarParts {
  /** A member of `log` that is not its entries, as JSON. */
  readonly member: (name: string, json: Buffer) => void
  /** One of its entries, as JSON. `number`: from 1. */
  readonly entry: (json: Buffer, number: number) => void
}

/**
 * Cuts a HAR document, `{"log":{…,"entries":[…],…}}`, into the members of its log and its entries, and holds no more than one of them: so
 * its length does not matter. It looks at brackets and strings alone; whether a piece is JSON is seen by whoever reads it.
 */
export class HarScanner {
  readonly #parts: HarParts
  readonly #longestEntry: number
  #depth = 0
  #inString = false
  #escaped = false
  #over = false
  #inEntries = false
  #entries = 0
  #sawEntries = false
  /** The name of the member of `log` whose value is read; null: a name is expected. */
  #name: string | null = null
  #held: Buffer[] = []
  #heldBytes = 0
  #dropped = false

  constructor(parts: HarParts, limit = longestEntry) {
    this.#parts = parts
    this.#longestEntry = limit
  }

  /** The document has come to its end. */
  get over(): boolean {
    return this.#over
  }

  get sawEntries(): boolean {
    return this.#sawEntries
  }

  /** Throws `log_unreadable` for an entry that is too long. */
  take(chunk: Buffer): void {
    let from = 0
    for (let at = 0; at < chunk.byteLength && !this.#over; at += 1) {
      if (this.#inString) {
        at = this.#string(chunk, at)
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
        this.#hold(chunk.subarray(from, at))
        this.#split(byte)
        from = at + 1
      }
    }
    if (!this.#over && this.#depth >= 2) this.#hold(chunk.subarray(from))
  }

  /** Goes on in a string; returns the last place that belongs to it. */
  #string(chunk: Buffer, from: number): number {
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
    if (byte === colon) this.#name = nameOf(this.#taken())
    else this.#emit()
  }

  /** True where a piece ends with this bracket. */
  #closes(chunk: Buffer, from: number, at: number): boolean {
    const endsEntries = this.#inEntries && this.#depth === 3
    if (!endsEntries && (this.#inEntries || this.#depth !== 2)) return false
    this.#hold(chunk.subarray(from, at))
    this.#emit()
    if (endsEntries) {
      this.#inEntries = false
      // What stands between the bracket and the next comma is nothing.
      this.#name = ''
    }
    return true
  }

  #beginEntries(): void {
    this.#inEntries = true
    this.#sawEntries = true
    this.#taken()
  }

  #emit(): void {
    const isWhole = !this.#dropped
    const json = this.#taken()
    const name = this.#name
    if (this.#inEntries) {
      if (json.toString('latin1', 0, 16).trim() === '' && json.byteLength < 16) return
      this.#entries += 1
      this.#parts.entry(json, this.#entries)
      return
    }
    this.#name = null
    if (name !== null && name !== '' && isWhole) this.#parts.member(name, json)
  }

  #hold(bytes: Buffer): void {
    if (bytes.byteLength === 0 || this.#dropped) return
    const limit = this.#inEntries ? this.#longestEntry : longestMember
    if (this.#heldBytes + bytes.byteLength > limit) {
      if (this.#inEntries) throw tooLong(this.#entries + 1, limit)
      this.#taken()
      this.#dropped = true
      return
    }
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.byteLength
  }

  #taken(): Buffer {
    const [only] = this.#held
    const all = only && this.#held.length === 1 ? only : Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    this.#dropped = false
    return all
  }
}

/** Empty for what is no name. */
function nameOf(json: Buffer): string {
  try {
    const name: unknown = JSON.parse(json.toString('utf8'))
    return typeof name === 'string' ? name : ''
  } catch {
    return ''
  }
}

function tooLong(number: number, limit: number): AppError {
  return new AppError(
    'log_unreadable',
    `Entry ${number} of the HAR file is longer than ${formatSize(limit)}. No delivery is that large: the file is something else, or it is damaged.`,
  )
}
