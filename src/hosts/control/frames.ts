import { decode, encode } from '@msgpack/msgpack'

const headBytes = 4

/** The last value to a client: all that was taken from it is answered, and what is on the way was not begun. */
export const farewell = 'farewell'

/** One value as it crosses the control socket: its length in four bytes, the highest first, and MessagePack. */
export function encodeFrame(value: unknown): Buffer {
  const body = encode(value, { ignoreUndefined: true })
  const frame = Buffer.allocUnsafe(headBytes + body.byteLength)
  frame.writeUInt32BE(body.byteLength)
  frame.set(body, headBytes)
  return frame
}

/** Puts frames together again from what a socket gives. */
export class FrameReader {
  /** The largest frame that is taken, in bytes. */
  limit: number
  #chunks: Buffer[] = []
  #held = 0
  /** Bytes of the frame that is under way; null: its head is not whole yet. */
  #awaited: number | null = null

  constructor(limit: number) {
    this.limit = limit
  }

  /**
   * The values that are whole with this chunk, one at a time, so that `limit` may change in between. Throws for a frame over the limit, of
   * which nothing is kept, and for one that is not MessagePack; then the stream is of no more use.
   */
  *read(chunk: Buffer): Generator {
    this.#chunks.push(chunk)
    this.#held += chunk.byteLength
    for (;;) {
      if (this.#awaited === null) {
        if (this.#held < headBytes) return
        this.#awaited = this.#take(headBytes).readUInt32BE()
      }
      if (this.#awaited > this.limit) throw new RangeError('the frame is too large')
      if (this.#held < this.#awaited) return
      const body = this.#take(this.#awaited)
      this.#awaited = null
      // Of a Buffer it would make Buffers, which are not what the engine gives in its own process.
      yield decode(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
    }
  }

  #take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    if (!all) return Buffer.alloc(0)
    const rest = all.subarray(bytes)
    this.#chunks = rest.byteLength > 0 ? [rest] : []
    this.#held = rest.byteLength
    return all.subarray(0, bytes)
  }
}
