import {
  brotliDecompressSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { Header } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'

/** A small body can expand to gigabytes. */
const decodedLimit = 64 * 1024 * 1024

/** A header has room for thousands, and each means one pass over the whole body. */
const encodingsLimit = 4

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', unzipSync],
  ['x-gzip', unzipSync],
  // Some senders leave out the zlib header (RFC 9110, section 8.4.1.2).
  [
    'deflate',
    (body, options) => ((body[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(body, options),
  ],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
  ['identity', (body) => body],
])

/** In the order they were applied, lower case. */
export function encodingsOf(headers: readonly Header[]): string[] {
  return headers
    .filter(([name]) => name.length === 16 && name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '')
}

/** RFC 9110, 8.4. For display only: the signature is over the bytes as sent. Throws `bad_input` for an unknown or wrong encoding, or above the limit. */
export function decodeBody(
  body: Uint8Array,
  headers: readonly Header[],
  maxOutputLength = decodedLimit,
): Uint8Array {
  const encodings = encodingsOf(headers)
  if (encodings.length > encodingsLimit) {
    throw undecodable(`The body declares ${encodings.length} encodings.`)
  }
  const plain = encodings.reduceRight((bytes, encoding) => {
    const decoder = decoders.get(encoding)
    if (!decoder) throw undecodable(`Unknown encoding "${encoding}".`)
    try {
      return decoder(bytes, { maxOutputLength })
    } catch (error) {
      const reason = `The body is not ${encoding} as its header says, or it decodes to more than 64 MiB.`
      throw undecodable(reason, error)
    }
  }, body)
  return new Uint8Array(plain.buffer, plain.byteOffset, plain.byteLength)
}

/** Null if it cannot be decoded, or the result exceeds `limit` bytes. */
export function decodeSmall(
  body: Uint8Array,
  headers: readonly Header[],
  limit: number,
): Uint8Array | null {
  try {
    return decodeBody(body, headers, limit)
  } catch {
    return null
  }
}

function undecodable(reason: string, cause?: unknown): AppError {
  return new AppError('bad_input', `${reason} View the body as sent.`, { cause })
}
