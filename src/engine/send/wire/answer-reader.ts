import {
  AnswerFault,
  framingOf,
  headLimit,
  keptFor,
  leavesOpen,
  parseHead,
  parseStatusLine,
  type AnswerHead,
  type Framing,
} from './answer-head.ts'
import { ChunkReader } from './chunks.ts'
import { Growing } from './growing.ts'
import type { WireAnswer } from './wire.ts'

const beginning = Buffer.from('HTTP/1.')

/**
 * Reads one answer, however it is cut into packets. Interim answers are passed over (RFC 9110, 15.2). Stricter than `http-parser-js`, which
 * takes a chunk of no readable size for the last one, and leaves out lines that are no header.
 */
export class AnswerReader {
  readonly #method: string
  readonly #maxBytes: number
  readonly #interim: (status: number) => void
  #pending = new Growing()
  /** Up to here there is no empty line in what is pending. */
  #searched = 0
  #statusSeen = false
  #head: AnswerHead | null = null
  #framing: Framing = { kind: 'none' }
  #chunks: ChunkReader | null = null
  readonly #kept = new Growing()
  #bytes = 0
  #whole = false
  #leftOver = false

  /** `maxBytes` of the body are kept. `interim` is called for each interim answer. */
  constructor(method: string, maxBytes: number, interim: (status: number) => void) {
    this.#method = method
    this.#maxBytes = maxBytes
    this.#interim = interim
  }

  /** The head is there. */
  get answering(): boolean {
    return this.#head !== null
  }

  get whole(): boolean {
    return this.#whole
  }

  /** Bytes of body so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** For how many milliseconds the server keeps the connection for a further request; 0: not at all; infinity: it does not say. */
  keep(): number {
    const head = this.#head
    if (!head || !this.#whole || this.#leftOver || !leavesOpen(head, this.#framing)) return 0
    // A second early: the server counts from when it wrote, and its close takes a while to come.
    const said = keptFor(head)
    return said === null ? Number.POSITIVE_INFINITY : Math.max(0, said - 1000)
  }

  /** Throws `AnswerFault`. */
  take(bytes: Buffer): void {
    let rest: Buffer | null = bytes
    while (rest && !this.#head) rest = this.#takeHead(rest)
    if (rest) this.#takeBody(rest)
  }

  /** The connection has ended. True: and with that the answer. */
  ended(): boolean {
    if (this.#head && this.#framing.kind === 'until_close') this.#whole = true
    return this.#whole
  }

  /** Null: not even its head is there. */
  answer(): WireAnswer | null {
    const head = this.#head
    if (!head) return null
    const { status, statusText, httpVersion, headers } = head
    return {
      status,
      statusText,
      httpVersion,
      headers,
      body: this.#kept.whole(),
      bytes: this.#bytes,
    }
  }

  /** Returns what is behind the head; null: more of it is still to come. */
  #takeHead(bytes: Buffer): Buffer | null {
    // Most heads come whole.
    const first = this.#pending.length === 0 ? endOfHead(bytes, 0) : -1
    if (first !== -1) return this.#headEnds(bytes, first)
    const before = this.#pending.length
    this.#pending.add(bytes)
    const all = this.#pending.view()
    const end = before === 0 ? -1 : endOfHead(all, Math.max(0, this.#searched - 3))
    if (end !== -1) return this.#headEnds(all, end)
    this.#searched = all.byteLength
    this.#checkBeginning(all)
    if (all.byteLength > headLimit) throw new AnswerFault('HPE_HEADER_OVERFLOW')
    return null
  }

  #headEnds(bytes: Buffer, end: number): Buffer | null {
    this.#checkBeginning(bytes)
    if (end > headLimit) throw new AnswerFault('HPE_HEADER_OVERFLOW')
    const head = parseHead(bytes.toString('latin1', 0, end).replace(/\r?\n\r?\n$/, ''))
    const rest = bytes.subarray(end)
    if (head.status < 200 && head.status !== 101) {
      this.#interim(head.status)
      this.#pending = new Growing()
      this.#searched = 0
      this.#statusSeen = false
      return rest.byteLength > 0 ? rest : null
    }
    this.#framing = framingOf(head, this.#method)
    this.#head = head
    if (this.#framing.kind === 'chunks') this.#chunks = new ChunkReader((piece) => this.#add(piece))
    if (this.#framing.kind === 'none') this.#whole = true
    if (this.#framing.kind === 'length' && this.#framing.length === 0) this.#whole = true
    return rest.byteLength > 0 ? rest : null
  }

  /** Garbage is known by its first bytes, and not only once it ends or time is up. */
  #checkBeginning(bytes: Buffer): void {
    const length = Math.min(bytes.byteLength, beginning.byteLength)
    if (bytes.compare(beginning, 0, length, 0, length) !== 0) {
      throw new AnswerFault('HPE_INVALID_CONSTANT')
    }
    if (this.#statusSeen) return
    const end = bytes.indexOf(10)
    if (end === -1) return
    if (end > headLimit) throw new AnswerFault('HPE_HEADER_OVERFLOW')
    parseStatusLine(bytes.toString('latin1', 0, end))
    this.#statusSeen = true
  }

  #takeBody(bytes: Buffer): void {
    if (this.#whole) {
      this.#leftOver = true
      return
    }
    switch (this.#framing.kind) {
      case 'none':
        return
      case 'until_close':
        this.#add(bytes)
        return
      case 'length': {
        const { length } = this.#framing
        const piece = bytes.subarray(0, length - this.#bytes)
        this.#add(piece, length)
        this.#whole = this.#bytes === length
        this.#leftOver = piece.byteLength < bytes.byteLength
        return
      }
      case 'chunks': {
        const end = this.#chunks?.take(bytes) ?? null
        this.#whole = end !== null
        this.#leftOver = end !== null && end < bytes.byteLength
      }
    }
  }

  #add(piece: Buffer, expected = 0): void {
    const room = this.#maxBytes - this.#kept.length
    if (room > 0) this.#kept.add(piece.subarray(0, room), Math.min(expected, this.#maxBytes))
    this.#bytes += piece.byteLength
  }
}

/** Where the empty line behind the head ends; -1: it is not there. */
function endOfHead(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return at + 2
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return at + 3
  }
  return -1
}
