import type { Header } from '#contract/models.ts'
import { faultOfAddress, faultOfField, faultOfMethod } from '../../http/request-head.ts'
import type { WireRequest } from './wire.ts'

/** The head of a request as it goes out, with the empty line: what is given, and nothing else. In Latin-1. */
export function headText({ method, url, target, headers }: WireRequest): string {
  return `${method} ${target ?? url.pathname + url.search} HTTP/1.1\r\n${fieldLines(headers)}\r\n`
}

/** What goes out before and behind the body: the marks of its one chunk and the trailers, or nothing. In Latin-1. */
export function aroundBody({ headers, body, trailers }: WireRequest): {
  readonly before: string
  readonly behind: string
} {
  if (!inChunks(headers)) return { before: '', behind: '' }
  const end = `0\r\n${fieldLines(trailers)}\r\n`
  // A chunk of nothing would be the last one.
  if (body.byteLength === 0) return { before: '', behind: end }
  return { before: `${body.byteLength.toString(16)}\r\n`, behind: `\r\n${end}` }
}

/** The sender says itself that the connection ends with the answer. */
export function asksToClose(headers: readonly Header[]): boolean {
  return valuesOf(headers, 'connection').some((value) => /\bclose\b/i.test(value))
}

/** The body is to wait for the server's word (RFC 9110, 10.1.1). */
export function awaitsWord({ headers, body }: WireRequest): boolean {
  return (
    body.byteLength > 0 &&
    valuesOf(headers, 'expect').some((value) => value.trim().toLowerCase() === '100-continue')
  )
}

/** Why a request cannot be sent as it stands, as a sentence that says what to do and holds no value of a header; null: it can. */
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

/** RFC 9112, 3.2: a blank in it, or anything that ends the line, would make another request of it. */
function faultOfTarget(target: string | undefined): string | null {
  if (target === undefined || /^[\x21-\x7e\x80-\xff]+$/.test(target)) return null
  return 'What is to stand behind the method is empty, or holds a blank, a line break or a character beyond Latin-1. Write it with percent signs, such as %20.'
}

/** RFC 9112, 6: the headers must say truly where the body ends, else what follows would be read as a request of its own. */
function faultOfFraming({ headers, body, trailers }: WireRequest): string | null {
  const lengths = valuesOf(headers, 'content-length')
  const codings = valuesOf(headers, 'transfer-encoding')
  const [length] = lengths
  if (length !== undefined && codings.length > 0) {
    return 'Content-Length and Transfer-Encoding say two different things of where the body ends. Leave one of them out.'
  }
  if (lengths.length > 1) return 'Content-Length is there twice. Leave one of them out.'
  if (codings.length > 0 && !endsInChunks(codings)) {
    return 'Transfer-Encoding does not end in "chunked", so the body would have no end. Write "chunked", or a Content-Length in its place.'
  }
  if (trailers.length > 0 && codings.length === 0) {
    return 'There are trailers, but the body is not in chunks. Take them out, or write Transfer-Encoding: chunked in place of Content-Length.'
  }
  if (length !== undefined && length.trim() !== String(body.byteLength)) {
    return `Content-Length does not say the length of the body, which is ${body.byteLength} bytes. Write that, or leave it to be reckoned.`
  }
  if (body.byteLength > 0 && length === undefined && codings.length === 0) {
    return `There is a body of ${body.byteLength} bytes, but no header that says so. Add Content-Length: ${body.byteLength}.`
  }
  return null
}

function endsInChunks(codings: readonly string[]): boolean {
  const all = codings
    .join(',')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
  return all.indexOf('chunked') === all.length - 1
}

function inChunks(headers: readonly Header[]): boolean {
  return valuesOf(headers, 'transfer-encoding').length > 0
}

const none: readonly string[] = []

function valuesOf(headers: readonly Header[], name: string): readonly string[] {
  let values: string[] | null = null
  for (const [header, value] of headers) {
    // The length first: this runs over all headers of every request.
    if (header.length === name.length && header.toLowerCase() === name) (values ??= []).push(value)
  }
  return values ?? none
}

function fieldLines(fields: readonly Header[]): string {
  let text = ''
  for (const [name, value] of fields) text += `${name}: ${value}\r\n`
  return text
}
