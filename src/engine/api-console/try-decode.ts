import { promisify } from 'node:util'
import { brotliDecompress, constants, inflate, unzip, zstdDecompress } from 'node:zlib'
import type { Header } from '#contract/models.ts'

/** As in `decodeBody`: larger ones cannot be shown decoded either. */
const maxDecodedBytes = 64 * 1024 * 1024

export type DecodeResult =
  /** Not encoded, or it cannot be decoded: searched as it is. */
  | { readonly state: 'plain' }
  | { readonly state: 'decoded'; readonly bytes: Uint8Array }
  /** Too large when decoded. */
  | { readonly state: 'unsearchable' }

/** Decodes by `Content-Encoding`, a truncated body as far as possible. Never throws. `maxBytes`: of the result. */
export async function tryDecode(
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
  if (encodings.length > 4) return { state: 'unsearchable' }
  let bytes = body
  for (const encoding of encodings.toReversed()) {
    try {
      bytes = await decode(encoding, bytes, maxBytes)
    } catch (error) {
      const isTooLarge =
        error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      return { state: isTooLarge ? 'unsearchable' : 'plain' }
    }
  }
  return { state: 'decoded', bytes }
}

function decode(encoding: string, bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  const finishFlush = constants.Z_SYNC_FLUSH
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return promisify(unzip)(bytes, { maxOutputLength, finishFlush })
    case 'deflate':
      return promisify(inflate)(bytes, { maxOutputLength, finishFlush })
    case 'br':
      return promisify(brotliDecompress)(bytes, {
        maxOutputLength,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      })
    case 'zstd':
      return promisify(zstdDecompress)(bytes, {
        maxOutputLength,
        finishFlush: constants.ZSTD_e_flush,
      })
    default:
      return Promise.reject(new Error(`unknown encoding ${encoding}`))
  }
}
