import { isAscii, isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { decodeBody } from '../../deliveries/decode-body.ts'
import { tokenise, type JsonFault, type JsonTokens } from './json/tokens.ts'
import type { Work } from './time-budget.ts'

/** A body with what is read from it: each once, and only when asked for. */
export class Body {
  readonly bytes: Buffer
  readonly work: Work
  #tokens: Promise<JsonTokens | JsonFault> | null = null
  #ascii: boolean | null = null
  #utf8: boolean | null = null

  constructor(bytes: Uint8Array, work: Work) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.work = work
  }

  get ascii(): boolean {
    return (this.#ascii ??= isAscii(this.bytes))
  }

  get utf8(): boolean {
    return (this.#utf8 ??= isUtf8(this.bytes))
  }

  /** Without a byte order mark, which JSON does not allow. */
  tokens(): Promise<JsonTokens | JsonFault> {
    return (this.#tokens ??= tokenise(
      hasMark(this.bytes) ? this.bytes.subarray(3) : this.bytes,
      this.work,
    ))
  }

  async json(): Promise<JsonTokens | null> {
    const tokens = await this.tokens()
    return 'fault' in tokens ? null : tokens
  }
}

const mark = Buffer.from('\ufeff', 'utf8')

export function hasMark(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(mark)
}

/** The body with its content encoding undone; null: it has none, or is not what it says. */
export async function decoded(bytes: Buffer, headers: readonly Header[]): Promise<Buffer | null> {
  const named = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-encoding' && value.trim() !== '',
  )
  const looksZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!named && !looksZipped) return null
  try {
    const undone = await decodeBody(bytes, named ? headers : [['Content-Encoding', 'gzip']])
    const result = Buffer.from(undone.buffer, undone.byteOffset, undone.byteLength)
    return result.equals(bytes) ? null : result
  } catch {
    return null
  }
}
