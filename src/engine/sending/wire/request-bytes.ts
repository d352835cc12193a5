import type { Header } from '#contract/models.ts'
import type { Proxy } from '../../platform/http/proxy.ts'
import { faultOfAddress, faultOfField, faultOfMethod } from '../../platform/http/request-head.ts'

export interface Transmission {
  /** Size of each write. Default: as few writes as possible. */
  readonly pieceBytes?: number
  readonly part?: 'head' | 'body'
  readonly pauseMs?: number
  /** Closes the connection after this many bytes of the body (`aborted`). */
  readonly stopAfter?: number
}

/**
 * The headers are sent unchanged, in this order and case, and nothing is added. The body is framed as they declare: by `Content-Length`, as one
 * chunk if `Transfer-Encoding` is `chunked`, otherwise not.
 */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  readonly target?: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** Sent after the last chunk; empty unless the body is chunked. */
  readonly trailers: readonly Header[]
  readonly transmission?: Transmission
}

/** Latin-1, including the empty line. `proxy`: what the request is sent to; one for https does not see it (RFC 9112, 3.2.2). */
export function headText(
  { method, url, target = url.pathname + url.search, headers }: WireRequest,
  proxy: Proxy | null = null,
): string {
  const isForProxy = proxy !== null && url.protocol === 'http:'
  const base = isForProxy && target.startsWith('/') ? url.origin : ''
  const credentials =
    isForProxy && proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : ''
  return `${method} ${base}${target} HTTP/1.1\r\n${credentials}${fieldLines(headers)}\r\n`
}

/** The framing of the one chunk and the trailers, or nothing, in Latin-1. */
export function aroundBody({ headers, body, trailers }: WireRequest): {
  before: string
  after: string
} {
  if (!isChunked(headers)) return { before: '', after: '' }
  const end = `0\r\n${fieldLines(trailers)}\r\n`
  // An empty chunk would end the body.
  if (body.byteLength === 0) return { before: '', after: end }
  return { before: `${body.byteLength.toString(16)}\r\n`, after: `\r\n${end}` }
}

export function asksToClose(headers: readonly Header[]): boolean {
  return valuesOf(headers, 'connection').some((value) => /\bclose\b/i.test(value))
}

/** A sentence without header values; null if the request can be sent. */
export function faultOfRequest(request: WireRequest): string | null {
  const { url, method, target } = request
  const fault = faultOfAddress(url) ?? faultOfMethod(method) ?? faultOfTarget(target)
  if (fault) return fault
  for (const [name, value] of request.headers) {
    const fault = faultOfField(name, value)
    if (fault) return fault
  }
  for (const [name, value] of request.trailers) {
    const fault = faultOfField(name, value)
    if (fault) return fault
  }
  return faultOfFraming(request)
}

/** RFC 9112, 3.2: a space or a line break would turn it into a different request. */
function faultOfTarget(target: string | undefined): string | null {
  if (target === undefined || /^[\x21-\x7e\x80-\xff]+$/.test(target)) return null
  return 'The request target is empty, or contains a space, a line break or a character outside Latin-1. Percent-encode it, for example %20.'
}

/** RFC 9112, 6: the headers must declare where the body ends, or the rest would be read as another request. */
export function faultOfFraming({
  headers,
  body,
  trailers,
}: Pick<WireRequest, 'headers' | 'body' | 'trailers'>): string | null {
  const lengths = valuesOf(headers, 'content-length')
  const codings = valuesOf(headers, 'transfer-encoding')
  const [length] = lengths
  if (length !== undefined && codings.length > 0) {
    return 'Content-Length and Transfer-Encoding contradict each other. Remove one of them.'
  }
  if (lengths.length > 1) return 'Content-Length is set twice. Remove one of them.'
  if (codings.length > 0 && !endsWithChunked(codings)) {
    return 'Transfer-Encoding does not end in "chunked", so the body has no end. Use "chunked" or a Content-Length instead.'
  }
  if (trailers.length > 0 && codings.length === 0) {
    return 'Trailers require a chunked body. Remove them, or use Transfer-Encoding: chunked instead of Content-Length.'
  }
  if (length !== undefined && length.trim() !== String(body.byteLength)) {
    return `Content-Length does not match the length of the body, which is ${body.byteLength} bytes. Correct it, or remove it to set it automatically.`
  }
  if (body.byteLength > 0 && length === undefined && codings.length === 0) {
    return `The body has ${body.byteLength} bytes, but no header declares its length. Add Content-Length: ${body.byteLength}.`
  }
  return null
}

function endsWithChunked(codings: readonly string[]): boolean {
  const all = codings
    .join(',')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
  return all.indexOf('chunked') === all.length - 1
}

function isChunked(headers: readonly Header[]): boolean {
  return valuesOf(headers, 'transfer-encoding').length > 0
}

const none: readonly string[] = []

function valuesOf(headers: readonly Header[], name: string): readonly string[] {
  let values: string[] | null = null
  for (const [header, value] of headers) {
    // Compares the length first, since this runs over all headers of every request.
    if (header.length === name.length && header.toLowerCase() === name) (values ??= []).push(value)
  }
  return values ?? none
}

function fieldLines(fields: readonly Header[]): string {
  let text = ''
  for (const [name, value] of fields) text += `${name}: ${value}\r\n`
  return text
}
