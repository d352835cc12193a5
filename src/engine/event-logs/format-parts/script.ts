import type { Header } from '#contract/models.ts'
import { faultOfField, faultOfMethod, faultOfAddress } from '../../platform/http/request-head.ts'
import type { ExportedDelivery, LogItem } from '../items.ts'
import { uriPath, removedSentence, base64Of, exactText, knownTime } from './text.ts'
import type { LogHead } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import { AppError } from '../../platform/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'

export interface Replay {
  readonly id: number
  readonly method: string
  /** Printable ASCII, no space. */
  readonly url: string
  /** Valid headers with one character per byte, without those that belong to the connection. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** What the reader should know about it, as sentences. */
  readonly remarks: readonly string[]
  /** Why it cannot be sent, as a sentence. Null: it can. */
  readonly fault: string | null
}

/** Headers about one connection or the framing of the body in it (RFC 9110, 7.6.1 and 10.1.1). The tool that sends the request sets them itself. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
])

/** `base`: origin and path to which the delivery's path is appended. `also`: see `uriPath`. */
export function replayOf(delivery: ExportedDelivery, base: string, also = ''): Replay {
  const { fields, body, omitted } = delivery
  const path = uriPath(fields.path, also)
  const headers = fields.headers
    .filter(([name]) => !connectionHeaders.has(name.toLowerCase()))
    .map(([name, value]): Header => [name, value.trim()])
  const invalidHeaders = headers.filter(([name, value]) => faultOfField(name, value) !== null)
  const remarks: string[] = []
  if (fields.bodyRedacted) {
    remarks.push('Its body was redacted and no longer matches its signature.')
  }
  if (fields.arrival === 'too_large' || fields.arrival === 'cut_off') {
    remarks.push(`Only ${body.byteLength} of ${fields.bytes} bytes of its body are included.`)
  }
  if (path !== fields.path && fields.path !== '')
    remarks.push(`Its path was received as: ${fields.path}`)
  if (invalidHeaders.length > 0)
    remarks.push(`Headers that cannot be written: ${headerNames(invalidHeaders)}`)
  if (fields.trailers.length > 0)
    remarks.push(`Trailers are not sent: ${headerNames(fields.trailers)}`)
  return {
    id: fields.id,
    method: fields.method,
    url: base + path,
    headers: headers.filter((header) => !invalidHeaders.includes(header)),
    body,
    remarks,
    fault: deliveryFault(delivery, omitted),
  }
}

export function headerNames(headers: readonly Header[]): string {
  return [...new Set(headers.map(([name]) => name))].join(', ')
}

function deliveryFault({ fields }: ExportedDelivery, omitted: string | null): string | null {
  if (fields.arrival === 'malformed')
    return 'The received request is malformed and cannot be sent again.'
  if (omitted !== null) return `Its body is not included. ${omitted}`
  return faultOfMethod(fields.method)
}

export interface Dialect {
  /** Must be safe for any text. */
  readonly comment: (text: string) => string
  readonly opening: readonly string[]
  /** How to run the script and what it requires, as sentences. */
  readonly usage: readonly string[]
  readonly prologue: string
  /** Characters that are not valid in a URI and that this tool still sends unchanged. */
  readonly pathCharacters: string
  /** Why this tool cannot send it, as a sentence. Null: it can. */
  readonly fault: (replay: Replay) => string | null
  /** What this tool changes, as sentences. */
  readonly remarks: (replay: Replay) => readonly string[]
  readonly request: (replay: Replay) => Iterable<string>
}

export function scriptFormat(
  dialect: Dialect,
  format: Pick<LogFormat, 'id' | 'label' | 'description' | 'extension' | 'mediaType'>,
): LogFormat {
  return {
    ...format,
    imports: 'none',
    sends: true,
    gzip: false,
    comfortable: 1000,
    single: true,
    write: (head, items, env) => writeScript(dialect, head, items, env),
  }
}

/** Sends each delivery, in order, even if an earlier one fails. For a delivery that cannot be sent, a comment gives the reason. */
function* writeScript(
  dialect: Dialect,
  head: LogHead,
  items: Iterable<LogItem>,
  { target, removed }: FormatEnv,
): Generator<string, void, undefined> {
  const base = baseAddress(target)
  const commentLines = (texts: readonly string[]): string =>
    texts.map((text) => `${dialect.comment(text)}\n`).join('')
  yield [...dialect.opening, ''].join('\n')
  yield commentLines([
    `Deliveries of a Tabscope event log, to be sent to ${base}`,
    ...dialect.usage,
    ...(head.redaction.note === '' ? [] : [head.redaction.note]),
  ])
  yield dialect.prologue
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    const { fields } = item.delivery
    const replay = replayOf(item.delivery, base, dialect.pathCharacters)
    const fault = replay.fault ?? dialect.fault(replay)
    const type = fields.type ?? 'no type'
    yield `\n${commentLines([
      `Delivery ${fields.id}: ${type}, verdict ${fields.verdict}, received ${knownTime(fields.receivedAt) ?? 'at an unknown time'}`,
      ...replay.remarks,
      ...(fault === null ? dialect.remarks(replay) : [`Not sent. ${fault}`]),
    ])}`
    if (fault === null) yield* dialect.request(replay)
  }
  const summary = removedSentence(removed())
  if (summary !== '') yield `\n${commentLines([summary])}`
}

function baseAddress(target: string): string {
  if (!URL.canParse(target)) {
    throw new AppError(
      'bad_input',
      'The target is not a URL. Enter a URL that starts with http:// or https://.',
    )
  }
  const url = new URL(target)
  const fault = faultOfAddress(url)
  if (fault) throw new AppError('bad_input', fault)
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
}

/** Some systems do not allow longer arguments. */
const maxArgumentBytes = 30_000
const lineBytes = 57
const blockBytes = lineBytes * 4096

/**
 * Returns the body as text for a quoted argument. Returns null if it must be written as Base64: for binary and long bodies, and for text with
 * invisible characters other than line breaks. Pasted into a terminal, control characters act as keys, and readers of a script should see what it sends.
 */
export function argumentText(body: Uint8Array): string | null {
  if (body.byteLength > maxArgumentBytes) return null
  const text = exactText(body)
  return text !== null && text.split('\n').every((line) => escapeControls(line) === line)
    ? text
    : null
}

/** A here-document in Base64. The end marker contains underscores, which cannot occur in Base64. */
export function* pipedBody(body: Uint8Array, command: string): Generator<string, void, undefined> {
  yield `base64 -d <<'END_OF_BODY' | ${command}\n`
  for (let from = 0; from < body.byteLength; from += blockBytes) {
    const block = base64Of(body.subarray(from, from + blockBytes))
    yield block.replace(/.{1,76}/g, '$&\n')
  }
  yield 'END_OF_BODY\n'
}
