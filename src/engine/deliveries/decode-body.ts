import { promisify } from 'node:util'
import { brotliDecompress, inflate, unzip, zstdDecompress } from 'node:zlib'
import type { Header } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'

/** Maximum size of a decoded body, in bytes: a small body can expand to gigabytes. */
const decodedLimit = 64 * 1024 * 1024

/** Maximum number of encodings. A header has room for thousands, and each means one pass over the whole body. */
export const encodingsLimit = 4

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  identity: async (body) => Buffer.from(body),
}

/** Returns the encodings in `Content-Encoding`, in the order they were applied, lower case. */
export function encodingsOf(headers: readonly Header[]): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '')
}

/**
 * Decodes a body by its `Content-Encoding` (RFC 9110, section 8.4), last encoding first. For display only: the signature is over the bytes as sent.
 * Throws `bad_input` if an encoding is unknown or wrong, or if the result is larger than 64 MiB.
 */
export async function decodeBody(
  body: Uint8Array,
  headers: readonly Header[],
): Promise<Uint8Array> {
  const encodings = encodingsOf(headers)
  if (encodings.length > encodingsLimit) {
    throw new AppError(
      'bad_input',
      `The body declares ${encodings.length} encodings. View the body as sent.`,
    )
  }
  let bytes = body
  for (const encoding of encodings.toReversed()) {
    const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
    if (!decoder) {
      throw new AppError('bad_input', `Unknown encoding "${encoding}". View the body as sent.`)
    }
    try {
      bytes = await decoder(bytes, { maxOutputLength: decodedLimit })
    } catch (error) {
      throw new AppError(
        'bad_input',
        `The body is not ${encoding} as its header says, or it decodes to more than 64 MiB. View the body as sent.`,
        { cause: error },
      )
    }
  }
  return new Uint8Array(bytes)
}
