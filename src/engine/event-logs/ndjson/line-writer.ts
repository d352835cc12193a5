import { asBuffer } from '../format-parts/text.ts'

/** Approximate size of a piece, in bytes. A piece contains several lines, because passing a piece on has overhead. */
const pieceBytes = 128 * 1024

/** Collects lines as UTF-8 in a buffer. */
export interface LineWriter {
  readonly lines: number
  /** Appends text to the current line. */
  text(text: string): void
  /** Appends valid UTF-8 as a JSON string, without decoding it. */
  quoted(utf8: Uint8Array): void
  endLine(): void
  /** True if the buffer contains enough for a piece. */
  readonly full: boolean
  /** Returns the buffered bytes and starts a new buffer. The caller owns the bytes. */
  take(): Uint8Array
}

const empty = new Uint8Array()

export function createLineWriter(): LineWriter {
  let buffer = Buffer.allocUnsafeSlow(pieceBytes * 2)
  let length = 0
  let lines = 0
  const reserve = (bytes: number): void => {
    if (length + bytes <= buffer.byteLength) return
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.byteLength * 2, length + bytes))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }
  return {
    get lines() {
      return lines
    },
    text: (text) => {
      // A UTF-16 unit takes at most three bytes in UTF-8.
      reserve(text.length * 3)
      length += buffer.write(text, length, 'utf8')
    },
    quoted: (utf8) => {
      // JSON only escapes ASCII characters, which never occur within a multi-byte character of UTF-8. So the bytes can be treated as Latin-1.
      const escaped = JSON.stringify(asBuffer(utf8).toString('latin1'))
      reserve(escaped.length)
      length += buffer.write(escaped, length, 'latin1')
    },
    endLine: () => {
      reserve(1)
      buffer[length] = 0x0a
      length += 1
      lines += 1
    },
    get full() {
      return length >= pieceBytes
    },
    take: () => {
      if (length === 0) return empty
      const piece = buffer.subarray(0, length)
      buffer = Buffer.allocUnsafeSlow(pieceBytes * 2)
      length = 0
      return piece
    },
  }
}
