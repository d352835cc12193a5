import {
  recordsMark,
  type PageBlockKind,
  type PageContent,
  type PageSummary,
} from '#contract/log-page.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogFormat } from '../formats.ts'
import { caseLines } from '../format-parts/rehearsal-lines.ts'
import { inlineBody, type LogBody } from '#contract/event-log.ts'
import type { Header } from '#contract/models.ts'
import { encodingsOf } from '../../deliveries/decode-body.ts'
import { decodeSmall } from '../../deliveries/decode-body.ts'
import type { ExportedDelivery } from '../items.ts'
import { isUtf8 } from 'node:buffer'

const html: LogFormat = {
  id: 'html',
  label: 'HTML page',
  description: 'One file to read in any browser, without Tabscope and offline.',
  extension: 'html',
  mediaType: 'text/html',
  imports: 'none',
  gzip: false,
  rehearsals: true,
  comfortable: 20_000,
  single: false,
  *write(head, items, env) {
    const [before, after] = env.page().split(recordsMark)
    if (before === undefined || after === undefined) {
      throw new AppError(
        'file_failed',
        'The page template of this format is damaged. Reinstall Tabscope, or choose another format.',
      )
    }
    yield before
    yield block('head', head)
    let deliveries = 0
    for (const item of items) {
      if (item.kind === 'delivery') {
        deliveries += 1
        yield* deliveryBlock(item.delivery)
      } else if (item.kind === 'rehearsal_case') yield* lineBlock('case', caseLines(item))
      else yield block(item.kind === 'rehearsal' ? 'rehearsal' : 'about', item)
    }
    yield block('end', { deliveries, removed: env.removed() })
    yield after
  },
}

/** Without `<`, nothing in an HTML script element can start or end an element or a comment (HTML, 4.12.1.3). */
function blockJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function blockBegin(kind: PageBlockKind): string {
  return `<script type="application/json" data-log="${kind}">`
}

const blockEnd = '</script>\n'

function block(kind: PageBlockKind, value: unknown): string {
  return blockBegin(kind) + blockJson(value) + blockEnd
}

function* lineBlock(
  kind: PageBlockKind,
  lines: Iterable<unknown>,
): Generator<string, void, undefined> {
  let before = blockBegin(kind)
  for (const line of lines) {
    yield before + blockJson(line)
    before = '\n'
  }
  yield blockEnd
}

/** A multiple of three, so that only the last part has Base64 padding. */
const partBytes = 768 * 1024

/** Small bodies are written in the delivery's line, large ones as parts in the lines that follow. */
class BodyLines {
  readonly #large: Buffer[] = []

  add(bytes: Uint8Array): LogBody {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (body.byteLength <= inlineBody) {
      return isUtf8(body) ? { text: body.toString() } : { base64: body.toString('base64') }
    }
    this.#large.push(body)
    return { parts: Math.ceil(body.byteLength / partBytes), key: this.#large.length - 1 }
  }

  /** A line feed precedes each line. */
  *lines(): Generator<string, void, undefined> {
    for (const [key, body] of this.#large.entries()) {
      for (let at = 0; at < body.byteLength; at += partBytes) {
        const base64 = body.toString('base64', at, Math.min(at + partBytes, body.byteLength))
        yield `\n${blockJson({ key, base64 })}`
      }
    }
  }
}

/** One compressed delivery must not make the file grow a thousandfold. */
const decodedLimit = 8 * 1024 * 1024

function* deliveryBlock(delivery: ExportedDelivery): Generator<string, void, undefined> {
  const { fields, body, omitted, attempts } = delivery
  const { httpVersion, remoteAddress, headers, trailers, reason, brand, note, ...summaryFields } =
    fields
  const { bodyRedacted, notForwarded, ...summary } = summaryFields
  const lines = new BodyLines()
  const content: PageContent = {
    httpVersion,
    remoteAddress,
    headers,
    trailers,
    reason,
    brand,
    note,
    body: omitted === null ? lines.add(body) : { omitted },
    decoded: omitted === null ? decodedBody(body, headers, lines) : null,
    bodyRedacted,
    attempts: attempts.map(({ fields, requestBody, answerBody }) => ({
      ...fields,
      requestBody: requestBody && lines.add(requestBody),
      responseBody: answerBody && lines.add(answerBody),
    })),
    notForwarded,
  }
  const summaryLine: PageSummary = { ...summary, noted: note !== '' }
  yield `${blockBegin('delivery')}${blockJson(summaryLine)}\n${blockJson(content)}`
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
  if (decoded !== null) return lines.add(decoded)
  return {
    omitted: `The encoding ${encodings.join(', ')} could not be decoded during the export. View the body as sent.`,
  }
}

export default html
