import { inlineBody, type LogBody } from '#contract/event-log.ts'
import type { PageContent, PageSummary } from '#contract/log-page.ts'
import type { Header } from '#contract/models.ts'
import { encodingsOf } from '../../deliveries/decode-body.ts'
import { decodeSmall } from '../../search/indexer/decode-small.ts'
import type { ExportedDelivery } from '../items.ts'
import { blockBegin, blockEnd, blockJson } from './blocks.ts'
import { isUtf8 } from 'node:buffer'

/** Bytes of a part: a multiple of three, so that no base64 but the last one is padded. */
const partBytes = 768 * 1024

/** Bodies of one delivery on their way into its block: small ones stand in its line, the parts of the others follow. */
class BodyLines {
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

/** What a body may become when its encoding is undone, in bytes: the file must not grow a thousandfold by one delivery. */
const decodedLimit = 8 * 1024 * 1024

/** The block of a delivery, in pieces. */
export function* deliveryBlock(delivery: ExportedDelivery): Generator<string, void, undefined> {
  const { fields, body, omitted, attempts } = delivery
  const { httpVersion, remoteAddress, headers, trailers, reason, brand, note, ...rest } = fields
  const { bodyRedacted, notForwarded, ...summary } = rest
  const lines = new BodyLines()
  const content: PageContent = {
    httpVersion,
    remoteAddress,
    headers,
    trailers,
    reason,
    brand,
    note,
    body: omitted === null ? lines.take(body) : { omitted },
    decoded: omitted === null ? decodedBody(body, headers, lines) : null,
    bodyRedacted,
    attempts: attempts.map(({ fields, requestBody, answerBody }) => ({
      ...fields,
      requestBody: requestBody && lines.take(requestBody),
      answerBody: answerBody && lines.take(answerBody),
    })),
    notForwarded,
  }
  const first: PageSummary = { ...summary, noted: note !== '' }
  yield `${blockBegin('delivery')}${blockJson(first)}\n${blockJson(content)}`
  yield* lines.lines()
  yield blockEnd
}

function decodedBody(
  body: Uint8Array,
  headers: readonly Header[],
  lines: BodyLines,
): LogBody | null {
  const encodings = encodingsOf(headers)
  if (encodings.length === 0 || body.byteLength === 0) return null
  const decoded = decodeSmall(body, headers, decodedLimit)
  if (decoded !== null) return lines.take(decoded)
  return {
    omitted: `The encoding ${encodings.join(', ')} could not be undone when this page was written. Look at the body as sent.`,
  }
}
