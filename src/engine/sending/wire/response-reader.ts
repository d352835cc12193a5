import {
  responseFault,
  type ResponseHead,
  type Framing,
  framingOf,
  headLimit,
  keptFor,
  leavesOpen,
  parseFields,
  parseHead,
  parseStatusLine,
} from './response-head.ts'
import type { Header } from '#contract/models.ts'

export interface WireResponse {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  readonly headers: readonly Header[]
  /** The kept part, not decoded. */
  readonly body: Uint8Array
  readonly bytes: number
}

const sizeLine = 16 * 1024

/** Reads a chunked body (RFC 9112, 7.1) from packets of any size. Checks and drops extensions and trailers. */
class ChunkReader {
  readonly #body: (piece: Buffer) => void
  #state: 'size' | 'data' | 'after' | 'trailers' = 'size'
  #left = 0
  #line = ''
  #trailers = 0

  constructor(body: (piece: Buffer) => void) {
    this.#body = body
  }

  /** Returns where the body ends in these bytes; null if it continues. Throws `responseFault`. */
  take(bytes: Buffer): number | null {
    let at = 0
    while (at < bytes.byteLength) {
      if (this.#state === 'data') {
        const piece = bytes.subarray(at, at + this.#left)
        this.#body(piece)
        at += piece.byteLength
        this.#left -= piece.byteLength
        if (this.#left === 0) this.#state = 'after'
        continue
      }
      const end = bytes.indexOf(10, at)
      const until = end === -1 ? bytes.byteLength : end
      this.#line += bytes.toString('latin1', at, until)
      at = until + 1
      if (this.#line.length > (this.#state === 'trailers' ? headLimit : sizeLine)) {
        throw responseFault(
          this.#state === 'trailers' ? 'HPE_HEADER_OVERFLOW' : 'HPE_INVALID_CHUNK_SIZE',
        )
      }
      if (end === -1) break
      const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line
      this.#line = ''
      if (this.#lineEnds(line)) return at
    }
    return null
  }

  #lineEnds(line: string): boolean {
    switch (this.#state) {
      case 'size': {
        const size = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;.*)?$/.exec(line)?.[1]
        if (size === undefined) throw responseFault('HPE_INVALID_CHUNK_SIZE')
        this.#left = Number.parseInt(size, 16)
        this.#state = this.#left === 0 ? 'trailers' : 'data'
        return false
      }
      case 'after':
        if (line !== '') throw responseFault('HPE_STRICT')
        this.#state = 'size'
        return false
      case 'trailers':
        if (line === '') return true
        this.#trailers += line.length + 2
        if (this.#trailers > headLimit) throw responseFault('HPE_HEADER_OVERFLOW')
        if (!/^[ \t]/.test(line)) parseFields([line])
        return false
      case 'data':
        return false
    }
  }
}

class ByteBuffer {
  #bytes: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** `expected`: the total size, if it is known. */
  add(piece: Uint8Array, expected = 0): void {
    const needed = this.#length + piece.byteLength
    if (needed > this.#bytes.byteLength) {
      const room = Math.max(
        needed,
        expected,
        Math.min(this.#bytes.byteLength * 2, needed + 1_048_576),
      )
      // The shared pool would be transferred as a whole to another thread.
      const grown = Buffer.allocUnsafeSlow(room)
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  whole(): Uint8Array {
    return this.#length === this.#bytes.byteLength ? this.#bytes : new Uint8Array(this.view())
  }
}

const beginning = Buffer.from('HTTP/1.')

/**
 * Reads one response from packets of any size and skips interim responses (RFC 9110, 15.2). Accepts what Node's parser accepts, and also lines that
 * end in LF alone, folded values, and any length that `Transfer-Encoding` overrides.
 */
export class ResponseReader {
  readonly #method: string
  readonly #maxBytes: number
  readonly #interim: (status: number) => void
  #pending = new ByteBuffer()
  #searched = 0
  #statusSeen = false
  #head: ResponseHead | null = null
  #framing: Framing = { kind: 'none' }
  #chunks: ChunkReader | null = null
  readonly #kept = new ByteBuffer()
  #bytes = 0
  #whole = false
  #leftOver = false

  /** `maxBytes` of the body are kept. `interim` is called for each interim response. */
  constructor(method: string, maxBytes: number, interim: (status: number) => void) {
    this.#method = method
    this.#maxBytes = maxBytes
    this.#interim = interim
  }

  get responding(): boolean {
    return this.#head !== null
  }

  get whole(): boolean {
    return this.#whole
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Milliseconds for which the connection can be reused. 0: not at all; infinity: the server does not say. */
  keep(): number {
    const head = this.#head
    if (!head || !this.#whole || this.#leftOver || !leavesOpen(head, this.#framing)) return 0
    // A second less: the server counts from when it wrote, and its close takes time to arrive.
    const timeout = keptFor(head)
    return timeout === null ? Number.POSITIVE_INFINITY : Math.max(0, timeout - 1000)
  }

  take(bytes: Buffer): void {
    let rest: Buffer | null = bytes
    while (rest && !this.#head) rest = this.#takeHead(rest)
    if (rest) this.#takeBody(rest)
  }

  ended(): boolean {
    if (this.#head && this.#framing.kind === 'until_close') this.#whole = true
    return this.#whole
  }

  response(): WireResponse | null {
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

  #takeHead(bytes: Buffer): Buffer | null {
    const first = this.#pending.length === 0 ? endOfHead(bytes, 0) : -1
    if (first !== -1) return this.#headEnds(bytes, first)
    const before = this.#pending.length
    this.#pending.add(bytes)
    const all = this.#pending.view()
    const end = before === 0 ? -1 : endOfHead(all, Math.max(0, this.#searched - 3))
    if (end !== -1) return this.#headEnds(all, end)
    this.#searched = all.byteLength
    this.#checkBeginning(all)
    if (all.byteLength > headLimit) throw responseFault('HPE_HEADER_OVERFLOW')
    return null
  }

  #headEnds(bytes: Buffer, end: number): Buffer | null {
    this.#checkBeginning(bytes)
    if (end > headLimit) throw responseFault('HPE_HEADER_OVERFLOW')
    const head = parseHead(bytes.toString('latin1', 0, end).replace(/\n\r?\n$/, ''))
    const rest = bytes.subarray(end)
    if (head.status < 200 && head.status !== 101) {
      this.#interim(head.status)
      this.#pending = new ByteBuffer()
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

  /** Detects another protocol by its first bytes, instead of by the end or a timeout. */
  #checkBeginning(bytes: Buffer): void {
    const length = Math.min(bytes.byteLength, beginning.byteLength)
    if (bytes.compare(beginning, 0, length, 0, length) !== 0) {
      throw responseFault('HPE_INVALID_CONSTANT')
    }
    if (this.#statusSeen) return
    const end = bytes.indexOf(10)
    if (end === -1) return
    if (end > headLimit) throw responseFault('HPE_HEADER_OVERFLOW')
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

function endOfHead(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return at + 2
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return at + 3
  }
  return -1
}
