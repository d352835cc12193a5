import {
  brotliDecompressSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { Header } from '#contract/models.ts'
import { encodingsLimit, encodingsOf } from '../../deliveries/decode-body.ts'

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: unzipSync,
  'x-gzip': unzipSync,
  // RFC 9110 requires a zlib frame, but senders often leave it out.
  deflate: (body, options) =>
    ((body[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(body, options),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  identity: (body) => body,
}

/** `Content-Encoding` (RFC 9110, 8.4), synchronously. Null if the result exceeds `limit` bytes, or an encoding is unknown or wrong. */
export function decodeSmall(
  body: Uint8Array,
  headers: readonly Header[],
  limit: number,
): Uint8Array | null {
  const encodings = encodingsOf(headers)
  if (encodings.length > encodingsLimit) return null
  let bytes = body
  for (const encoding of encodings.toReversed()) {
    const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
    if (!decoder) return null
    try {
      bytes = decoder(bytes, { maxOutputLength: limit })
    } catch {
      return null
    }
  }
  return bytes
}
