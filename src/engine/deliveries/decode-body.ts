import { promisify } from 'node:util'
import { brotliDecompress, inflate, unzip, zstdDecompress } from 'node:zlib'
import type { Header } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'

/** A body may not grow beyond this when its encoding is undone, in bytes: a small one can hold gigabytes. */
const decodedLimit = 64 * 1024 * 1024

/** More encodings than anybody uses; a header has room for thousands, each of them a pass over the whole body. */
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

/** What `Content-Encoding` names, in the order in which it was done, lower-case. */
export function encodingsOf(headers: readonly Header[]): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '')
}

/**
 * Undoes `Content-Encoding` (RFC 9110, 8.4), the last one first, for display only: the signature is over the bytes as sent.
 * Throws `bad_input` when it is unknown, not true, or makes more than 64 MiB.
 */
export async function decodeBody(
  body: Uint8Array,
  headers: readonly Header[],
): Promise<Uint8Array> {
  const encodings = encodingsOf(headers)
  if (encodings.length > encodingsLimit) {
    throw new AppError(
      'bad_input',
      `The body declares ${encodings.length} encodings. Check the body as sent.`,
    )
  }
  let bytes = body
  for (const encoding of encodings.toReversed()) {
    const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
    if (!decoder) {
      throw new AppError(
        'bad_input',
        `The encoding "${encoding}" is not known. Look at the body as sent.`,
      )
    }
    try {
      bytes = await decoder(bytes, { maxOutputLength: decodedLimit })
    } catch (error) {
      throw new AppError(
        'bad_input',
        `The body is not ${encoding}, though its header says so, or it decodes to more than 64 MiB. Look at the body as sent.`,
        { cause: error },
      )
    }
  }
  return new Uint8Array(bytes)
}
