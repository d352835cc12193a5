import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'

/** A body may not grow beyond this when its coding is undone, in bytes. */
export const readableLimit = 32 * 1024 * 1024

/** A body with its codings undone, and the way back. */
export interface Decoded {
  readonly bytes: Uint8Array
  readonly encode: (bytes: Uint8Array) => Uint8Array
}

const options = { maxOutputLength: readableLimit }

/** Undoes codings, the last one first (RFC 9110, 8.4). Null: one is unknown, not true, cut off, or makes too much. */
export function decode(bytes: Uint8Array, codings: readonly string[]): Decoded | null {
  let decoded: Decoded = { bytes, encode: (same) => same }
  for (const coding of codings.toReversed()) {
    const before = decoded
    const next = decodeOne(before.bytes, coding)
    if (!next) return null
    decoded = { bytes: next.bytes, encode: (plain) => before.encode(next.encode(plain)) }
  }
  return decoded
}

function decodeOne(bytes: Uint8Array, coding: string): Decoded | null {
  try {
    switch (coding) {
      case 'identity':
        return { bytes, encode: (same) => same }
      case 'gzip':
      case 'x-gzip':
        return { bytes: gunzipSync(bytes, options), encode: (plain) => gzipSync(plain) }
      case 'deflate':
        // By the standard with a zlib frame, in practice often without.
        return isZlib(bytes)
          ? { bytes: inflateSync(bytes, options), encode: (plain) => deflateSync(plain) }
          : { bytes: inflateRawSync(bytes, options), encode: (plain) => deflateRawSync(plain) }
      case 'br':
        return {
          bytes: brotliDecompressSync(bytes, options),
          encode: (plain) =>
            brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
        }
      case 'zstd':
        return {
          bytes: zstdDecompressSync(bytes, options),
          encode: (plain) => zstdCompressSync(plain),
        }
      default:
        return null
    }
  } catch {
    return null
  }
}

function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}

/** The body is a gzip file by its first bytes (RFC 1952, 2.3). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}
