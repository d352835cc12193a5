import type { Header } from '#contract/models.ts'
import { faultOfField, faultOfMethod, faultOfAddress } from '../../platform/http/request-head.ts'
import type { ExportedDelivery, LogItem } from '../items.ts'
import { uriPath, removedSentence, base64Of, exactText } from './text.ts'
import type { LogHead } from '#contract/event-log.ts'
import type { FormatEnv } from '../format.ts'
import { isoTime } from './iso-time.ts'
import { AppError } from '../../platform/errors.ts'
import { visible } from '#shared/text/visible.ts'

/** A delivery as it is to be sent again. */
export interface Replay {
  readonly id: number
  readonly method: string
  /** Printable ASCII, no space. */
  readonly url: string
  /** Names and values can be written as they are, one character a byte; what belongs to the connection is not here. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** What is to be known of it, as sentences. */
  readonly remarks: readonly string[]
  /** Why it cannot be sent, as a sentence; null: it can. */
  readonly fault: string | null
}

/** These are about one connection or about how the body is framed in it (RFC 9110, 7.6.1 and 10.1.1): whoever sends says them anew. */
const ofConnection = new Set([
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

/** `base`: origin and path that the delivery's path is put behind. `also`: see `uriPath`. */
export function replayOf(delivery: ExportedDelivery, base: string, also = ''): Replay {
  const { fields, body, omitted } = delivery
  const path = uriPath(fields.path, also)
  const headers = fields.headers
    .filter(([name]) => !ofConnection.has(name.toLowerCase()))
    .map(([name, value]): Header => [name, value.trim()])
  const faulty = headers.filter(([name, value]) => faultOfField(name, value) !== null)
  const remarks: string[] = []
  if (fields.bodyRedacted) {
    remarks.push('Its body was redacted and no longer matches its signature.')
  }
  if (fields.arrival === 'too_large' || fields.arrival === 'cut_off') {
    remarks.push(`Of its body ${body.byteLength} of ${fields.bytes} bytes are here.`)
  }
  if (path !== fields.path && fields.path !== '')
    remarks.push(`Its path was received as: ${fields.path}`)
  if (faulty.length > 0) remarks.push(`Headers that cannot be written: ${namesOf(faulty)}`)
  if (fields.trailers.length > 0) remarks.push(`Trailers are not sent: ${namesOf(fields.trailers)}`)
  return {
    id: fields.id,
    method: fields.method,
    url: base + path,
    headers: headers.filter((header) => !faulty.includes(header)),
    body,
    remarks,
    fault: faultOfDelivery(delivery, omitted),
  }
}

export function namesOf(headers: readonly Header[]): string {
  return [...new Set(headers.map(([name]) => name))].join(', ')
}

function faultOfDelivery({ fields }: ExportedDelivery, omitted: string | null): string | null {
  if (fields.arrival === 'malformed')
    return 'What was received is not a request that can be sent again.'
  if (omitted !== null) return `Its body is not here. ${omitted}`
  return faultOfMethod(fields.method)
}

/** How one tool is told to send. */
export interface Dialect {
  /** A line that does nothing, whatever is in the text. */
  readonly comment: (text: string) => string
  /** The first lines. */
  readonly opening: readonly string[]
  /** How it is run and what it needs, as sentences. */
  readonly usage: readonly string[]
  /** Stands before the first request. */
  readonly prologue: string
  /** Beside what a URI may hold as it is: what this tool sends as it is. */
  readonly pathCharacters: string
  /** Why this tool cannot send it, as a sentence; null: it can. */
  readonly fault: (replay: Replay) => string | null
  /** What this tool changes, as sentences. */
  readonly remarks: (replay: Replay) => readonly string[]
  readonly request: (replay: Replay) => Iterable<string>
}

/** A script that sends each delivery again, in order, whatever became of the one before. What cannot be sent is a comment that says why. */
export function* writeScript(
  dialect: Dialect,
  head: LogHead,
  items: Iterable<LogItem>,
  { target, removed }: FormatEnv,
): Generator<string, void, undefined> {
  const base = baseAddress(target)
  const said = (texts: readonly string[]): string =>
    texts.map((text) => `${dialect.comment(text)}\n`).join('')
  yield [...dialect.opening, ''].join('\n')
  yield said([
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
    yield `\n${said([
      `Delivery ${fields.id}: ${type}, verdict ${fields.verdict}, received ${isoTime(fields.receivedAt)}`,
      ...replay.remarks,
      ...(fault === null ? dialect.remarks(replay) : [`Not sent. ${fault}`]),
    ])}`
    if (fault === null) yield* dialect.request(replay)
  }
  const taken = removedSentence(removed())
  if (taken !== '') yield `\n${said([taken])}`
}

/** Origin and path that the paths of deliveries are put behind, without a slash at the end. Throws `bad_input`. */
function baseAddress(target: string): string {
  if (!URL.canParse(target)) {
    throw new AppError('bad_input', 'The target is no address. Begin it with http:// or https://.')
  }
  const url = new URL(target)
  const fault = faultOfAddress(url)
  if (fault) throw new AppError('bad_input', fault)
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
}

/** Longer arguments are more than some systems take, in bytes. */
const longestArgument = 30_000
/** So many bytes are 76 characters. */
const lineBytes = 57
const blockBytes = lineBytes * 4096

/**
 * The body as text that can stand between quotes; null: it must go as base64. Text with anything but line breaks that would not show is
 * among the latter: pasted at a prompt, control characters are keys, and who reads a script should see what it sends.
 */
export function argumentText(body: Uint8Array): string | null {
  if (body.byteLength > longestArgument) return null
  const text = exactText(body)
  return text !== null && text.split('\n').every((line) => visible(line) === line) ? text : null
}

/** A command that is fed these bytes. What is behind `<<` cannot be told from Base64 if it is made of its letters alone. */
export function* fedWith(body: Uint8Array, command: string): Generator<string, void, undefined> {
  yield `base64 -d <<'END_OF_BODY' | ${command}\n`
  for (let from = 0; from < body.byteLength; from += blockBytes) {
    const block = base64Of(body.subarray(from, from + blockBytes))
    yield block.replace(/.{1,76}/g, '$&\n')
  }
  yield 'END_OF_BODY\n'
}
