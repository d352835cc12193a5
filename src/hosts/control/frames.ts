import { decode, Encoder } from '@msgpack/msgpack'

const headerBytes = 4

/** The last value sent to a client: all accepted calls have their reply, and later calls were not executed. */
export const farewell = 'farewell'

/** Reused, because a new one grows its buffer step by step for each frame. */
const encoder = new Encoder({ ignoreUndefined: true })

/** One value as sent over the control socket: its length in four bytes, big-endian, then MessagePack. */
export function encodeFrame(value: unknown): Buffer {
  // Valid until the next frame, and copied before.
  const body = encoder.encodeSharedRef(value)
  const frame = Buffer.allocUnsafe(headerBytes + body.byteLength)
  frame.writeUInt32BE(body.byteLength)
  frame.set(body, headerBytes)
  return frame
}

/** Reassembles frames from the chunks of a socket. */
export class FrameReader {
  /** Maximum size of a frame, in bytes. */
  limit: number
  #chunks: Buffer[] = []
  #buffered = 0
  /** Length of the current frame's body in bytes; null until its header is complete. */
  #frameLength: number | null = null

  constructor(limit: number) {
    this.limit = limit
  }

  /**
   * Yields the values that this chunk completes, one at a time, so that `limit` may change in between. Throws for a frame over the limit, of which nothing is
   * stored, and for a frame that is not MessagePack. After that the stream is unusable.
   */
  *read(chunk: Buffer): Generator {
    this.#chunks.push(chunk)
    this.#buffered += chunk.byteLength
    for (;;) {
      if (this.#frameLength === null) {
        if (this.#buffered < headerBytes) return
        this.#frameLength = this.#take(headerBytes).readUInt32BE()
      }
      if (this.#frameLength > this.limit) throw new RangeError('the frame is too large')
      if (this.#buffered < this.#frameLength) return
      const body = this.#take(this.#frameLength)
      this.#frameLength = null
      // A Uint8Array, so that decoded bytes are not Buffers, as with an engine in the same process.
      yield decode(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
    }
  }

  #take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    if (!all) return Buffer.alloc(0)
    const rest = all.subarray(bytes)
    this.#chunks = rest.byteLength > 0 ? [rest] : []
    this.#buffered = rest.byteLength
    return all.subarray(0, bytes)
  }
}
