import type { HarEntryMore } from '#contract/event-log-har.ts'
import type { Header } from '#contract/models.ts'
import { uriPath, base64Of, exactText } from './text.ts'
import { STATUS_CODES } from 'node:http'
import type { DeliveryItem, ExportedAttempt } from '../items.ts'
import { isoTime } from './iso-time.ts'
import type { Timings } from '#contract/http.ts'
import type { AttemptAnswer } from '#contract/sending.ts'

/** A name and a value. */
export interface HarPair {
  readonly name: string
  readonly value: string
}

/** HAR 1.2, as far as Tabscope writes it. Sizes in bytes, times in milliseconds; -1: not known, or there was none. */
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
  readonly _tabscope: HarEntryMore
}

export interface HarPostData {
  readonly mimeType: string
  readonly text: string
  readonly comment?: string
}

export interface HarContent {
  readonly size: number
  readonly mimeType: string
  readonly text?: string
  readonly encoding?: 'base64'
}

export interface HarTimings {
  readonly blocked: number
  readonly dns: number
  readonly connect: number
  readonly ssl: number
  readonly send: number
  readonly wait: number
  readonly receive: number
}

/** A name or an IPv4 address, or an IPv6 address in brackets; with or without a port. */
const sane = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/** The address that a delivery was sent to: by its own word where that is one, else under `target`. How it came to us, it does not say. */
export function deliveryUrl(headers: readonly Header[], path: string, target: string): string {
  const host = valueOf(headers, 'host').trim()
  const origin = sane.test(host) && URL.canParse(`http://${host}`) ? `http://${host}` : target
  return origin.replace(/(?<!\/)\/+$/, '') + uriPath(path)
}

/** An address that we sent to, as a URI. */
export function attemptUrl(url: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]+/i.exec(url) ?? []
  // What cannot be read as an address was not sent either (RFC 6761, 6.4).
  const known = URL.canParse(origin) ? new URL(origin).origin : 'http://unknown.invalid'
  return known + uriPath(url)
}

/** `10.0.0.1:443` and `[::1]:443` without the port; undefined: neither. */
export function ipAddress(remote: string | null): string | undefined {
  const [, six, four] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):[0-9]+$/i.exec(remote ?? '') ?? []
  return six ?? four
}

export function pairsOf(headers: readonly Header[]): HarPair[] {
  return headers.map(([name, value]) => ({ name, value }))
}

/** The first value under a name; empty: there is none. */
export function valueOf(headers: readonly Header[], lowerName: string): string {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1] ?? ''
}

/** `1.1` as HAR says it. */
export function versionOf(httpVersion: string): string {
  return httpVersion === '' ? '' : `HTTP/${httpVersion}`
}

/** The query of a request target or an address, decoded, in order and with duplicates. */
export function queryOf(target: string): HarPair[] {
  const [withoutHash = ''] = target.split('#', 1)
  const mark = withoutHash.indexOf('?')
  if (mark === -1) return []
  return [...new URLSearchParams(withoutHash.slice(mark + 1))].map(([name, value]) => ({
    name,
    value,
  }))
}

interface PostedBody {
  readonly postData?: HarPostData
  /** HAR has no encoding for what is posted, so bytes stand in a place of our own. */
  readonly bodyBase64?: string
}

export function postedBody(body: Uint8Array, headers: readonly Header[]): PostedBody {
  if (body.byteLength === 0) return {}
  const mimeType = valueOf(headers, 'content-type')
  const text = exactText(body)
  if (text !== null) return { postData: { mimeType, text } }
  return {
    postData: { mimeType, text: '', comment: 'Not UTF-8: its bytes are in _tabscope.bodyBase64.' },
    bodyBase64: base64Of(body),
  }
}

/** `bytes`: how many came, which may be more than are kept. */
export function contentOf(
  body: Uint8Array | null,
  headers: readonly Header[],
  bytes: number,
): HarContent {
  const content = { size: bytes, mimeType: valueOf(headers, 'content-type') }
  if (!body || body.byteLength === 0) return content
  const text = exactText(body)
  return text === null
    ? { ...content, text: base64Of(body), encoding: 'base64' }
    : { ...content, text }
}

/** A delivery as an entry: what came, and what we answered. */
export function deliveryEntry({ delivery }: DeliveryItem, target: string): HarEntry {
  const { fields, body, omitted, attempts } = delivery
  const { headers, ...more } = fields
  const { postData, bodyBase64 } = postedBody(body, headers)
  const wait = Math.max(fields.answeredIn ?? 0, 0)
  return {
    startedDateTime: isoTime(fields.receivedAt),
    time: wait,
    request: {
      method: fields.method,
      url: deliveryUrl(headers, fields.path, target),
      httpVersion: versionOf(fields.httpVersion),
      cookies: [],
      headers: pairsOf(headers),
      queryString: queryOf(fields.path),
      ...(postData && { postData }),
      headersSize: -1,
      bodySize: fields.bytes,
    },
    response: {
      status: fields.status ?? 0,
      statusText: STATUS_CODES[fields.status ?? 0] ?? '',
      httpVersion: versionOf(fields.httpVersion),
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
    _tabscope: {
      kind: 'delivery',
      fields: more,
      ...(bodyBase64 !== undefined && { bodyBase64 }),
      ...(omitted !== null && { omitted }),
      attempts: attempts.length,
    },
  }
}

/** An attempt as an entry: what we sent, and what was answered. `deliveryId`: the delivery that it belongs to. */
export function attemptEntry(
  { fields, requestBody, answerBody }: ExportedAttempt,
  deliveryId: number,
): HarEntry {
  const { request, answer, ...more } = fields
  const { headers, ...moreOfRequest } = request
  const { postData, bodyBase64 } = postedBody(requestBody ?? new Uint8Array(), headers)
  const timings = timingsOf(fields.timings, fields.took)
  const serverIPAddress = ipAddress(fields.remoteAddress)
  const answered = answer?.headers ?? []
  return {
    startedDateTime: isoTime(fields.at),
    time: sumOf(timings),
    request: {
      method: fields.method,
      url: attemptUrl(fields.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(headers),
      queryString: queryOf(request.target),
      ...(postData && { postData }),
      headersSize: -1,
      bodySize: fields.requestBytes,
    },
    response: {
      status: answer?.status ?? 0,
      statusText: answer?.statusText ?? '',
      httpVersion: answer ? versionOf(answer.httpVersion) : '',
      cookies: [],
      headers: pairsOf(answered),
      content: contentOf(answerBody, answered, fields.answerBytes),
      redirectURL: valueOf(answered, 'location'),
      headersSize: -1,
      bodySize: answer ? fields.answerBytes : -1,
    },
    cache: {},
    timings,
    ...(serverIPAddress !== undefined && { serverIPAddress }),
    comment: fields.error ? `Sent by Tabscope. ${fields.error.message}` : 'Sent by Tabscope.',
    _tabscope: {
      kind: 'attempt',
      deliveryId,
      fields: { ...more, request: moreOfRequest, answer: answer && withoutHeaders(answer) },
      bodyAsCaptured: requestBody === null,
      ...(bodyBase64 !== undefined && { bodyBase64 }),
      answerBodyKept: answerBody !== null,
    },
  }
}

function withoutHeaders({
  headers: _headers,
  ...more
}: AttemptAnswer): Omit<AttemptAnswer, 'headers'> {
  return more
}

/** In HAR the time of TLS is part of the time of connecting, and told beside. */
function timingsOf(timings: Timings | null, took: number): HarTimings {
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0 }
  if (!timings) return { ...none, wait: Math.max(took, 0), receive: 0 }
  const { dns, connect, tls, firstByte, total } = timings
  const wait = firstByte ?? 0
  const before = (dns ?? 0) + (connect ?? 0) + (tls ?? 0) + wait
  return {
    ...none,
    dns: dns ?? -1,
    connect: connect === null ? -1 : connect + (tls ?? 0),
    ssl: tls ?? -1,
    wait,
    receive: Math.max(total - before, 0),
  }
}

/** `time` is the sum of all that is not -1; TLS is in the time of connecting (HAR 1.2, "timings"). */
function sumOf({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  return [blocked, dns, connect, send, wait, receive].reduce(
    (sum, part) => sum + Math.max(part, 0),
    0,
  )
}
