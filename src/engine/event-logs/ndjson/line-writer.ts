import { createHash } from 'node:crypto'

/** Bytes of a piece, about: a piece costs more than a line. */
const pieceBytes = 128 * 1024

/** Gathers lines as UTF-8 in a buffer, and knows the hash of all that was taken out of it. */
export interface LineWriter {
  readonly lines: number
  /** Writes text into the line. */
  text(text: string): void
  /** Writes a line, and takes another into the hash in its place. Only where nothing is gathered yet. */
  hashedAs(line: string, hashed: string): Uint8Array
  /** Writes valid UTF-8 as the inside of a JSON string, without reading it as characters. */
  quoted(utf8: Uint8Array): void
  endLine(): void
  /** There is enough for a piece. */
  readonly full: boolean
  /** What there is. It is nobody else's from then on. */
  take(): Uint8Array
  /** Hex SHA-256 of all that was taken, or stands for it. */
  sha256(): string
}

export function createLineWriter(): LineWriter {
  const hash = createHash('sha256')
  let buffer = Buffer.allocUnsafeSlow(pieceBytes * 2)
  let used = 0
  let lines = 0
  const reserve = (bytes: number): void => {
    if (used + bytes <= buffer.byteLength) return
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.byteLength * 2, used + bytes))
    buffer.copy(larger, 0, 0, used)
    buffer = larger
  }
  return {
    get lines() {
      return lines
    },
    text: (text) => {
      // No character takes more than three bytes for each of its UTF-16 units.
      reserve(text.length * 3)
      used += buffer.write(text, used, 'utf8')
    },
    hashedAs: (line, hashed) => {
      hash.update(`${hashed}\n`)
      lines += 1
      return Buffer.from(`${line}\n`)
    },
    quoted: (utf8) => {
      // What JSON escapes is ASCII, of which no part of another character is made: as Latin-1, bytes go through as they are.
      const escaped = JSON.stringify(bufferOf(utf8).toString('latin1'))
      reserve(escaped.length)
      used += buffer.write(escaped, used, 'latin1')
    },
    endLine: () => {
      reserve(1)
      buffer[used] = 0x0a
      used += 1
      lines += 1
    },
    get full() {
      return used >= pieceBytes
    },
    take: () => {
      const piece = buffer.subarray(0, used)
      hash.update(piece)
      buffer = Buffer.allocUnsafeSlow(pieceBytes * 2)
      used = 0
      return piece
    },
    sha256: () => hash.copy().digest('hex'),
  }
}

/** The same bytes, not a copy of them. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
