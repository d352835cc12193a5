import { decode, Encoder } from '@msgpack/msgpack'

const headerBytes = 4

/** Sent last: all accepted calls have their reply, and later calls were not executed. */
export const farewell = 'farewell'

/** Reused, because a new one grows its buffer step by step for each frame. */
const encoder = new Encoder({ ignoreUndefined: true })

/** Its length in four bytes, big-endian, then MessagePack. */
export function encodeFrame(value: unknown): Buffer {
  // Valid until the next frame, and copied before.
  const body = encoder.encodeSharedRef(value)
  const frame = Buffer.allocUnsafe(headerBytes + body.byteLength)
  frame.writeUInt32BE(body.byteLength)
  frame.set(body, headerBytes)
  return frame
}

export class FrameReader {
  limit: number
  #chunks: Buffer[] = []
  #buffered = 0
  /** In bytes; null until the header of the current frame is complete. */
  #frameLength: number | null = null

  constructor(limit: number) {
    this.limit = limit
  }

  /** One value at a time, so that `limit` may change in between. Throws for a frame over the limit or not MessagePack; then the stream is unusable. */
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
