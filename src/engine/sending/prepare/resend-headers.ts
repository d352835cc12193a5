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

/** The last transfer coding is `chunked` (RFC 9112, 6.1). */
export function isChunked(headers: readonly Header[]): boolean {
  const value = headerValue(headers, 'transfer-encoding')
  return value !== undefined && /(?:^|[\s,])chunked\s*$/i.test(value)
}

/** Replaces headers by manual ones. Manual framing replaces all captured framing. Throws `bad_input` that names the header. */
export function withGiven(
  captured: readonly Header[],
  given: readonly Header[],
  bodyBytes: number,
): readonly Header[] {
  if (given.length === 0) return captured
  for (const [name, value] of given) {
    const fault = headerFault(name, value)
    if (fault) throw badInput(fault.message)
  }
  let headers = [...captured]
  for (const group of Map.groupBy(given, ([name]) => name.toLowerCase()).values()) {
    headers = withHeaders(headers, group)
  }
  const length = given.filter((header) => isNamed(header, 'content-length'))
  const coding = given.filter((header) => isNamed(header, 'transfer-encoding'))
  if (length.length > 0 && coding.length > 0) {
    throw badInput(
      'Content-Length and Transfer-Encoding cannot be combined (RFC 9112, 6.2). Remove one of them.',
    )
  }
  if (length.length > 1) throw badInput('Content-Length is set twice. Remove one of them.')
  for (const [name, value] of length) {
    if (value.trim() !== String(bodyBytes)) throw badInput(lengthMessage(name, bodyBytes))
    headers = withoutHeader(headers, 'transfer-encoding')
  }
  for (const [name, value] of coding) {
    if (value.trim().toLowerCase() !== 'chunked') throw badInput(codingMessage(name))
    headers = withoutHeader(headers, 'content-length')
  }
  return headers
}

export function lengthMessage(name: string, bytes: number): string {
  return `The header ${name} does not match the length of the body, which is ${bytes} bytes. Remove the header, and it is set automatically.`
}

export function codingMessage(name: string): string {
  return `The header ${name} can only be "chunked", because the body is sent unchanged. Change or remove the header.`
}

/** Sets `Host` from the URL, in place or at the front. A manual `Host` stays. */
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

export function withLength(headers: readonly Header[], bytes: number): Header[] {
  if (isChunked(headers)) return [...headers]
  if (hasHeader(headers, 'content-length'))
    return withValue(headers, 'content-length', String(bytes))
  return bytes === 0 ? [...headers] : [...headers, ['Content-Length', String(bytes)]]
}

export function badInput(message: string): AppError {
  return new AppError('bad_input', message)
}
