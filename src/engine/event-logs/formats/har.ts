import { unknownTime } from '#contract/constants.ts'
import type { LogHead } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import { redactionSentences, uriPath, base64Of, exactText, isoTime } from '../format-parts/text.ts'
import type { LogItem, DeliveryItem, ExportedAttempt } from '../items.ts'
import type { Header } from '#contract/models.ts'
import { STATUS_CODES } from 'node:http'
import type { Timings } from '#contract/http.ts'

/** Begins the comment of an attempt, by which an import knows it. */
export const sentByTabscope = 'Sent by Tabscope.'

interface HarPair {
  readonly name: string
  readonly value: string
}

/** The part of HAR 1.2 that Tabscope writes. Sizes are in bytes, times in milliseconds; -1 means unknown or not applicable. */
export interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly httpVersion: string
    readonly cookies: readonly HarPair[]
    readonly headers: readonly HarPair[]
    readonly queryString: readonly HarPair[]
    readonly postData?: HarPostData
    /** Of a body that is not UTF-8, for which HAR has no encoding: as HTTP Toolkit writes it. */
    readonly _content?: HarContent
    readonly headersSize: number
    readonly bodySize: number
  }
  readonly response: {
    readonly status: number
    readonly statusText: string
    readonly httpVersion: string
    readonly cookies: readonly HarPair[]
    readonly headers: readonly HarPair[]
    readonly content: HarContent
    readonly redirectURL: string
    readonly headersSize: number
    readonly bodySize: number
  }
  readonly cache: Record<string, never>
  readonly timings: HarTimings
  readonly serverIPAddress?: string
  readonly comment?: string
}

interface HarPostData {
  readonly mimeType: string
  readonly text: string
  readonly comment?: string
}

interface HarContent {
  readonly size: number
  readonly mimeType: string
  readonly text?: string
  readonly encoding?: 'base64'
}

type HarTimings = Readonly<
  Record<'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number>
>

const validHost =
  /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/** Returns the URL that a delivery was sent to: from its `Host` header if valid, otherwise from `target`. Always `http`: a request has no scheme. */
function deliveryUrl(headers: readonly Header[], path: string, target: string): string {
  const host = headerValue(headers, 'host').trim()
  const origin = validHost.test(host) && URL.canParse(`http://${host}`) ? `http://${host}` : target
  return origin.replace(/(?<!\/)\/+$/, '') + uriPath(path)
}

function attemptUrl(url: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]+/i.exec(url) ?? []
  // An invalid URL, which was never sent, gets a reserved host name (RFC 6761, 6.4).
  const knownOrigin = URL.canParse(origin) ? new URL(origin).origin : 'http://unknown.invalid'
  return knownOrigin + uriPath(url)
}

function ipAddress(remote: string | null): string | undefined {
  const [, ipv6, ipv4] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):[0-9]+$/i.exec(remote ?? '') ?? []
  return ipv6 ?? ipv4
}

function toHarPairs(headers: readonly Header[]): HarPair[] {
  return headers.map(([name, value]) => ({ name, value }))
}

function headerValue(headers: readonly Header[], lowerName: string): string {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1] ?? ''
}

function harVersion(httpVersion: string): string {
  return httpVersion === '' ? '' : `HTTP/${httpVersion}`
}

function parseQuery(target: string): HarPair[] {
  const [withoutHash = ''] = target.split('#', 1)
  const queryStart = withoutHash.indexOf('?')
  if (queryStart === -1) return []
  return toHarPairs([...new URLSearchParams(withoutHash.slice(queryStart + 1))])
}

function postedBody(
  body: Uint8Array,
  headers: readonly Header[],
): Pick<HarEntry['request'], 'postData' | '_content'> {
  if (body.byteLength === 0) return {}
  const mimeType = headerValue(headers, 'content-type')
  const text = exactText(body)
  if (text !== null) return { postData: { mimeType, text } }
  return {
    postData: { mimeType, text: '', comment: 'Not UTF-8: its bytes are in _content.' },
    _content: responseContent(body, headers, body.byteLength),
  }
}

/** `bytes`: how many were received, which may be more than are stored. */
function responseContent(
  body: Uint8Array | null,
  headers: readonly Header[],
  bytes: number,
): HarContent {
  const content = { size: bytes, mimeType: headerValue(headers, 'content-type') }
  if (!body || body.byteLength === 0) return content
  const text = exactText(body)
  return text === null
    ? { ...content, text: base64Of(body), encoding: 'base64' }
    : { ...content, text }
}

function deliveryEntry({ delivery }: DeliveryItem, target: string): HarEntry {
  const { fields, body } = delivery
  const { headers } = fields
  const wait = Math.max(fields.responseMs ?? 0, 0)
  return {
    startedDateTime: isoTime(fields.receivedAt),
    ...(fields.receivedAt === unknownTime && { comment: 'The time is unknown.' }),
    time: wait,
    request: {
      method: fields.method,
      url: deliveryUrl(headers, fields.path, target),
      httpVersion: harVersion(fields.httpVersion),
      cookies: [],
      headers: toHarPairs(headers),
      queryString: parseQuery(fields.path),
      ...postedBody(body, headers),
      headersSize: -1,
      bodySize: fields.bytes,
    },
    response: {
      status: fields.status ?? 0,
      statusText: STATUS_CODES[fields.status ?? 0] ?? '',
      httpVersion: harVersion(fields.httpVersion),
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive: 0 },
    ...(fields.note !== '' && { comment: fields.note }),
  }
}

function attemptEntry(
  { fields, requestBody, answerBody }: ExportedAttempt,
  capturedBody: Uint8Array,
): HarEntry {
  const { request, response } = fields
  const { headers } = request
  const timings = toHarTimings(fields.timings, fields.durationMs)
  const serverIPAddress = ipAddress(fields.remoteAddress)
  const responseHeaders = response?.headers ?? []
  return {
    startedDateTime: isoTime(fields.sentAt),
    time: totalTime(timings),
    request: {
      method: fields.method,
      url: attemptUrl(fields.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toHarPairs(headers),
      queryString: parseQuery(request.target),
      ...postedBody(requestBody ?? capturedBody, headers),
      headersSize: -1,
      bodySize: fields.requestBytes,
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusText ?? '',
      httpVersion: response ? harVersion(response.httpVersion) : '',
      cookies: [],
      headers: toHarPairs(responseHeaders),
      content: responseContent(answerBody, responseHeaders, fields.responseBytes),
      redirectURL: headerValue(responseHeaders, 'location'),
      headersSize: -1,
      bodySize: response ? fields.responseBytes : -1,
    },
    cache: {},
    timings,
    ...(serverIPAddress !== undefined && { serverIPAddress }),
    comment: fields.error ? `${sentByTabscope} ${fields.error.message}` : sentByTabscope,
  }
}

/** In HAR, `connect` includes the time for TLS, which is also given separately as `ssl`. */
function toHarTimings(timings: Timings | null, took: number): HarTimings {
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0 }
  if (!timings) return { ...none, wait: Math.max(took, 0), receive: 0 }
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = timings
  const wait = firstByteMs ?? 0
  const beforeReceive = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0) + wait
  return {
    ...none,
    dns: dnsMs ?? -1,
    connect: connectMs === null ? -1 : connectMs + (tlsMs ?? 0),
    ssl: tlsMs ?? -1,
    wait,
    receive: Math.max(totalMs - beforeReceive, 0),
  }
}

/** `connect` includes `ssl` (HAR 1.2, "timings"). */
function totalTime({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  return [blocked, dns, connect, send, wait, receive].reduce(
    (sum, part) => sum + Math.max(part, 0),
    0,
  )
}

/** HAR 1.2, one line per entry: each delivery, followed by its attempts. */
const har: LogFormat = {
  id: 'har',
  label: 'HTTP Archive (HAR)',
  description:
    'Deliveries and attempts as requests and responses. For the network panel of a browser and other HTTP tools. You can import the deliveries again, with what HAR has of them.',
  extension: 'har',
  mediaType: 'application/json',
  imports: 'partial',
  gzip: false,
  comfortable: 5000,
  single: true,
  write: writeHar,
}

function* writeHar(
  head: LogHead,
  items: Iterable<LogItem>,
  { target, removed }: FormatEnv,
): Generator<string, void, undefined> {
  yield '{"log":{"version":"1.2",'
  yield `"creator":${JSON.stringify({ name: 'Tabscope', version: head.app.replace(/^Tabscope /, '') })},\n"entries":[`
  let isFirst = true
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    yield isFirst ? '\n' : ',\n'
    isFirst = false
    yield JSON.stringify(deliveryEntry(item, target))
    for (const attempt of item.delivery.attempts) {
      yield ',\n'
      yield JSON.stringify(attemptEntry(attempt, item.delivery.body))
    }
  }
  yield `\n],"comment":${JSON.stringify(redactionSentences(head, removed()).join(' '))}}}\n`
}

export default har
