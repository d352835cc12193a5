import { promisify } from 'node:util'
import { brotliDecompress, constants, inflate, inflateRaw, unzip, zstdDecompress } from 'node:zlib'
import type { Header } from '#contract/models.ts'

/** As in `decodeBody`: larger ones cannot be shown decoded either. */
const maxDecodedBytes = 64 * 1024 * 1024

export type DecodeResult =
  /** Not encoded. */
  | { readonly state: 'plain' }
  /** `complete`: false if the encoded data ends too early. `bytes` is what can be decoded of it. */
  | { readonly state: 'decoded'; readonly bytes: Uint8Array; readonly complete: boolean }
  /** Not encoded as the header says, or by an encoding that is not supported. */
  | { readonly state: 'broken' }
  /** Decoded, it is larger than `maxBytes`, or it is encoded more often than anyone does. */
  | { readonly state: 'over_limit' }

/** Decodes by `Content-Encoding` (RFC 9110, section 8.4), incomplete data as far as possible. Never throws. `maxBytes`: of the result. */
export async function decodeResponse(
  body: Uint8Array,
  headers: readonly Header[],
  maxBytes = maxDecodedBytes,
): Promise<DecodeResult> {
  const encodings = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
  if (encodings.length === 0 || body.byteLength === 0) return { state: 'plain' }
  if (encodings.length > 4) return { state: 'over_limit' }
  let bytes = body
  let complete = true
  for (const encoding of encodings.toReversed()) {
    try {
      bytes = await decode(encoding, bytes, maxBytes, false)
    } catch (error) {
      if (isTooLarge(error)) return { state: 'over_limit' }
      complete = false
      try {
        bytes = await decode(encoding, bytes, maxBytes, true)
      } catch (cause) {
        return { state: isTooLarge(cause) ? 'over_limit' : 'broken' }
      }
    }
  }
  return { state: 'decoded', bytes, complete }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/** `partial`: also decodes data that ends too early. */
function decode(
  encoding: string,
  bytes: Uint8Array,
  maxOutputLength: number,
  partial: boolean,
): Promise<Uint8Array> {
  const finishing = (flush: number) =>
    partial ? { maxOutputLength, finishFlush: flush } : { maxOutputLength }
  const zlib = finishing(constants.Z_SYNC_FLUSH)
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return promisify(unzip)(bytes, zlib)
    case 'deflate':
      // RFC 9110 requires a zlib frame, but servers often leave it out.
      return promisify((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(bytes, zlib)
    case 'br':
      return promisify(brotliDecompress)(bytes, finishing(constants.BROTLI_OPERATION_FLUSH))
    case 'zstd':
      return promisify(zstdDecompress)(bytes, finishing(constants.ZSTD_e_flush))
    default:
      return Promise.reject(new Error(`unknown encoding ${encoding}`))
  }
}
