import type { Header } from '#contract/models.ts'
import { hasCredentials, isHttp } from '#shared/text/address.ts'
import { escapeControls } from '#shared/text/visible.ts'
import type { HttpRequest } from './http.ts'

/** Without a body by default. For all others the length is sent even if it is 0 (RFC 9110, section 8.6). */
const bodyless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

type Head = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>

/** Required headers that are missing, then the given ones, unchanged. A given `Host` replaces ours. */
export function outgoingHeaders({ method, url, headers, body }: Head): Header[] {
  const given = (name: string): boolean =>
    headers.some(([header]) => header.toLowerCase() === name.toLowerCase())
  const own: Header[] = []
  if (!given('host')) own.push(['Host', url.host])
  if (!given('connection')) own.push(['Connection', 'close'])
  if (!given('content-length') && (body || !bodyless.has(method))) {
    own.push(['Content-Length', String(body?.byteLength ?? 0)])
  }
  return [...own, ...headers]
}

/** Why the request cannot be sent, as a sentence without header values; null if it can. */
export function faultOf({ method, url, headers, body }: Head): string | null {
  const fault = faultOfAddress(url) ?? faultOfMethod(method)
  if (fault) return fault
  for (const [name, value] of headers) {
    const fault = faultOfHeader(name, value)
    if (fault) return fault
    if (name.toLowerCase() === 'content-length' && value.trim() !== String(body?.byteLength ?? 0)) {
      return `The header ${name} does not match the length of the body. Remove it: it is added automatically.`
    }
  }
  return null
}

function faultOfHeader(name: string, value: string): string | null {
  const fault = faultOfField(name, value)
  if (fault) return fault
  if (name.toLowerCase() === 'transfer-encoding') {
    return `The body is sent with its length, not in chunks. Remove the header ${name}.`
  }
  return null
}

/** Why a URL cannot be used, without user name and password. */
export function faultOfAddress(url: URL): string | null {
  if (!isHttp(url)) {
    return `The URL starts with "${url.protocol}". Use http or https.`
  }
  if (hasCredentials(url.href)) {
    return 'The URL contains a user name or password. Remove it, and send it as a header.'
  }
  return null
}

/** Why a method cannot be used (RFC 9110, section 9.1). */
export function faultOfMethod(method: string): string | null {
  if (!isToken(method)) {
    return 'The method is not a valid HTTP token. Use a method such as GET or POST.'
  }
  if (method.toUpperCase() === 'CONNECT') {
    return 'CONNECT opens a tunnel through a proxy and cannot be sent here. Use another method.'
  }
  return null
}

/** Required for methods and header names (RFC 9110, sections 5.1 and 9.1). */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)
}

/** Latin-1 (RFC 9110, section 5.5). Like `validateHeaderValue`, without loading `node:http`. */
export function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

/** In quotes, shortened, without control characters. */
export function shownName(name: string): string {
  return escapeControls(JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name))
}

/** Why a header or trailer is invalid (RFC 9110, section 5). Its value is sent as Latin-1. */
export function faultOfField(name: string, value: string): string | null {
  if (!isToken(name)) {
    return name === ''
      ? 'A header has no name. Enter one, or remove the header.'
      : `${shownName(name)} is not a valid header name. Use letters, digits and hyphens.`
  }
  if (!isFieldValue(value)) {
    return `The value of the header ${name} contains a character that cannot be sent, such as a line break or one outside Latin-1. Remove it.`
  }
  return null
}

export function headerPairs(raw: readonly string[]): Header[] {
  const pairs: Header[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? ''])
  return pairs
}
