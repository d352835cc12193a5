import { isAscii, isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { decodeBody } from '../../deliveries/decode-body.ts'
import { tokenize, type JsonFault, type JsonTokens } from './json/tokens.ts'
import type { TimeBudget } from './time-budget.ts'

export class Body {
  readonly bytes: Buffer
  readonly budget: TimeBudget
  #tokens: Promise<JsonTokens | JsonFault> | null = null
  #ascii: boolean | null = null
  #utf8: boolean | null = null

  constructor(bytes: Uint8Array, budget: TimeBudget) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.budget = budget
  }

  get ascii(): boolean {
    return (this.#ascii ??= isAscii(this.bytes))
  }

  get utf8(): boolean {
    return (this.#utf8 ??= isUtf8(this.bytes))
  }

  /** Without a byte order mark, which JSON does not allow. */
  tokens(): Promise<JsonTokens | JsonFault> {
    return (this.#tokens ??= tokenize(
      hasMark(this.bytes) ? this.bytes.subarray(3) : this.bytes,
      this.budget,
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

/** Decodes the content encoding. Returns null if there is none or it is invalid. */
export async function decoded(bytes: Buffer, headers: readonly Header[]): Promise<Buffer | null> {
  const named = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-encoding' && value.trim() !== '',
  )
  const looksZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!named && !looksZipped) return null
  try {
    const plain = await decodeBody(bytes, named ? headers : [['Content-Encoding', 'gzip']])
    const result = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength)
    return result.equals(bytes) ? null : result
  } catch {
    return null
  }
}
