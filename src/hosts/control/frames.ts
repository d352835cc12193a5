import { decode, encode } from '@msgpack/msgpack'

const headBytes = 4

/** The last value to a client: all accepted calls have been answered, and later ones were not executed. */
export const farewell = 'farewell'

/** One value as sent over the control socket: its length in four bytes, big-endian, then MessagePack. */
export function encodeFrame(value: unknown): Buffer {
  const body = encode(value, { ignoreUndefined: true })
  const frame = Buffer.allocUnsafe(headBytes + body.byteLength)
  frame.writeUInt32BE(body.byteLength)
  frame.set(body, headBytes)
  return frame
}

/** Reassembles frames from the chunks of a socket. */
export class FrameReader {
  /** Maximum size of a frame, in bytes. */
  limit: number
  #chunks: Buffer[] = []
  #held = 0
  /** Bytes of the current frame; null until its head is complete. */
  #awaited: number | null = null

  constructor(limit: number) {
    this.limit = limit
  }

  /**
   * The values that this chunk completes, one at a time, so that `limit` may change in between. Throws for a frame over the limit, of
   * which nothing is stored, and for one that is not MessagePack; then the stream is unusable.
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
      // A Uint8Array, so that decoded bytes are not Buffers, like those of an engine in the same process.
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
