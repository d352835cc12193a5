/** What is read at once from a connection, in bytes. */
const readBytes = 64 * 1024

/**
 * What comes on a connection, in a buffer that is its own and is read into again and again: a stream would take a new one for each small answer.
 * Whoever takes it copies what is to last.
 */
export class Incoming {
  take: ((bytes: Buffer) => void) | null = null
  readonly onread = {
    buffer: Buffer.allocUnsafeSlow(readBytes),
    callback: (length: number, bytes: Uint8Array): boolean => {
      this.take?.(Buffer.from(bytes.buffer, bytes.byteOffset, length))
      return true
    },
  }
}
