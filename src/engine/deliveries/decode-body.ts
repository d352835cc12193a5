import { promisify } from 'node:util'
import { brotliDecompress, inflate, inflateRaw, unzip, zstdDecompress } from 'node:zlib'
import type { Header } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'

/** A small body can expand to gigabytes. */
const decodedLimit = 64 * 1024 * 1024

/** A header has room for thousands, and each means one pass over the whole body. */
export const encodingsLimit = 4

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const zlibInflate = promisify(inflate)
const rawInflate = promisify(inflateRaw)

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
  // Some senders leave out the zlib header (RFC 9110, section 8.4.1.2).
  deflate: (body, options) => zlibInflate(body, options).catch(() => rawInflate(body, options)),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  identity: async (body) => Buffer.from(body),
}

/** In the order they were applied, lower case. */
export function encodingsOf(headers: readonly Header[]): string[] {
  return headers
    .filter(([name]) => name.length === 16 && name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '')
}

/** RFC 9110, 8.4. For display only: the signature is over the bytes as sent. Throws `bad_input` for an unknown or wrong encoding, or above 64 MiB. */
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
