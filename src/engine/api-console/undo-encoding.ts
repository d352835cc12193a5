import { promisify } from 'node:util'
import { brotliDecompress, constants, inflate, unzip, zstdDecompress } from 'node:zlib'
import type { Header } from '#contract/models.ts'

/** As `decodeBody` allows: what makes more cannot be shown decoded either. In bytes. */
const mostShown = 64 * 1024 * 1024

/** A body with its encoding undone as far as it goes. */
export type Undone =
  /** It has none, or none that can be undone: nobody reads more in it than its bytes. */
  | { readonly state: 'plain' }
  | { readonly state: 'decoded'; readonly bytes: Uint8Array }
  /** It makes too much to be looked through. */
  | { readonly state: 'unsearchable' }

/** Undoes `Content-Encoding` to look for secrets; one that was cut off is undone up to there. `most` bytes are made of it. */
export async function undo(
  body: Uint8Array,
  headers: readonly Header[],
  most = mostShown,
): Promise<Undone> {
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
      bytes = await decode(encoding, bytes, most)
    } catch (error) {
      const tooMuch =
        error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      return { state: tooMuch ? 'unsearchable' : 'plain' }
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
