import { AnswerFault, headLimit, parseFields } from './answer-head.ts'

/** A line that says how long a chunk is, with what may follow there, is no longer than this. */
const sizeLine = 16 * 1024

/** Reads a body in chunks (RFC 9112, 7.1), however it is cut into packets. Extensions and trailers are read and left out. */
export class ChunkReader {
  readonly #body: (piece: Buffer) => void
  #state: 'size' | 'data' | 'after' | 'trailers' = 'size'
  #left = 0
  #line = ''
  #trailers = 0

  constructor(body: (piece: Buffer) => void) {
    this.#body = body
  }

  /** Returns where the body ended in these bytes; null: it goes on. Throws `AnswerFault`. */
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
        throw new AnswerFault(
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

  /** True: it was the last one. */
  #lineEnds(line: string): boolean {
    switch (this.#state) {
      case 'size': {
        const size = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;.*)?$/.exec(line)?.[1]
        if (size === undefined) throw new AnswerFault('HPE_INVALID_CHUNK_SIZE')
        this.#left = Number.parseInt(size, 16)
        this.#state = this.#left === 0 ? 'trailers' : 'data'
        return false
      }
      case 'after':
        if (line !== '') throw new AnswerFault('HPE_STRICT')
        this.#state = 'size'
        return false
      case 'trailers':
        if (line === '') return true
        this.#trailers += line.length + 2
        if (this.#trailers > headLimit) throw new AnswerFault('HPE_HEADER_OVERFLOW')
        if (!/^[ \t]/.test(line)) parseFields([line])
        return false
      case 'data':
        return false
    }
  }
}
