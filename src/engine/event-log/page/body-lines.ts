import { isUtf8 } from 'node:buffer'
import { inlineBody, type LogBody } from '#contract/event-log.ts'
import { blockJson } from './blocks.ts'

/** Bytes of a part: a multiple of three, so that no base64 but the last one is padded. */
const partBytes = 768 * 1024

/** Bodies of one delivery on their way into its block: small ones stand in its line, the parts of the others follow. */
export class BodyLines {
  readonly #large: Buffer[] = []

  /** What stands in the line. */
  take(bytes: Uint8Array): LogBody {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (body.byteLength <= inlineBody) {
      return isUtf8(body) ? { text: body.toString() } : { base64: body.toString('base64') }
    }
    this.#large.push(body)
    return { parts: Math.ceil(body.byteLength / partBytes), key: this.#large.length - 1 }
  }

  /** The lines of the parts, each with the line feed before it. */
  *lines(): Generator<string, void, undefined> {
    for (const [key, body] of this.#large.entries()) {
      for (let at = 0; at < body.byteLength; at += partBytes) {
        const base64 = body.toString('base64', at, Math.min(at + partBytes, body.byteLength))
        yield `\n${blockJson({ key, base64 })}`
      }
    }
  }
}
