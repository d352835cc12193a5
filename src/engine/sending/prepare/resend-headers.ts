import type { Header } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import {
  headerFault,
  hasHeader,
  headerValue,
  isNamed,
  withHeaders,
  withoutHeader,
  withValue,
} from './header-list.ts'

/** Whether the body goes out in chunks: the last coding is `chunked` (RFC 9112, 6.1). */
export function isChunked(headers: readonly Header[]): boolean {
  const value = headerValue(headers, 'transfer-encoding')
  return value !== undefined && /(?:^|[\s,])chunked\s*$/i.test(value)
}

/**
 * The headers with those that were given by hand in their places. Framing by hand takes the place of the captured framing. Throws
 * `bad_input`, naming the header.
 */
export function withGiven(
  captured: readonly Header[],
  given: readonly Header[],
  bodyBytes: number,
): readonly Header[] {
  if (given.length === 0) return captured
  for (const [name, value] of given) {
    const fault = headerFault(name, value)
    if (fault) throw refused(fault.message)
  }
  let headers = [...captured]
  for (const group of Map.groupBy(given, ([name]) => name.toLowerCase()).values()) {
    headers = withHeaders(headers, group)
  }
  const length = given.filter((header) => isNamed(header, 'content-length'))
  const coding = given.filter((header) => isNamed(header, 'transfer-encoding'))
  if (length.length > 0 && coding.length > 0) {
    throw refused(
      'Content-Length and Transfer-Encoding cannot go together (RFC 9112, 6.2). Leave one of them out.',
    )
  }
  if (length.length > 1) throw refused('Content-Length is given twice. Leave one of them out.')
  for (const [name, value] of length) {
    if (value.trim() !== String(bodyBytes)) throw refused(wrongLength(name, bodyBytes))
    headers = withoutHeader(headers, 'transfer-encoding')
  }
  for (const [name, value] of coding) {
    if (value.trim().toLowerCase() !== 'chunked') throw refused(wrongCoding(name))
    headers = withoutHeader(headers, 'content-length')
  }
  return headers
}

export function wrongLength(name: string, bytes: number): string {
  return `The header ${name} does not say the length of the body, which is ${bytes} bytes. Leave it out: it follows the body.`
}

export function wrongCoding(name: string): string {
  return `The header ${name} can only be "chunked": the body is sent as it is. Change it, or leave it out.`
}

/** The value of `Host` follows the address, in its place and case; there is none: in front. One by hand stays. */
export function withHost(
  headers: readonly Header[],
  given: readonly Header[],
  host: string,
): Header[] {
  if (hasHeader(given, 'host')) return [...headers]
  return hasHeader(headers, 'host')
    ? withValue(headers, 'host', host)
    : [['Host', host], ...headers]
}

/** The length follows the body, unless it goes in chunks. Without a length there was no body: it is added. */
export function withLength(headers: readonly Header[], bytes: number): Header[] {
  if (isChunked(headers)) return [...headers]
  if (hasHeader(headers, 'content-length'))
    return withValue(headers, 'content-length', String(bytes))
  return bytes === 0 ? [...headers] : [...headers, ['Content-Length', String(bytes)]]
}

export function refused(message: string): AppError {
  return new AppError('bad_input', message)
}
