import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Header } from '#contract/models.ts'
import { isHttp } from '#shared/text/address.ts'
import type { HttpRequest } from './http.ts'

/** Methods whose request has no body unless one is given; for all others its length is said even when it is nothing (RFC 9110, 8.6). */
const bodyless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

type Head = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>

/**
 * The headers as they go out: those of the request as they were given, after those that no request does without. A `Host` that was given
 * takes the place of ours.
 */
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

/** Why the request cannot be sent as it stands, as a sentence; null when it can. No sentence holds a value. */
export function faultOf({ method, url, headers, body }: Head): string | null {
  const fault = faultOfAddress(url) ?? faultOfMethod(method)
  if (fault) return fault
  for (const [name, value] of headers) {
    const fault = faultOfHeader(name, value)
    if (fault) return fault
    if (name.toLowerCase() === 'content-length' && value.trim() !== String(body?.byteLength ?? 0)) {
      return `The header ${name} does not say the length of the body. Leave it out: it is added.`
    }
  }
  return null
}

function faultOfHeader(name: string, value: string): string | null {
  const fault = faultOfField(name, value)
  if (fault) return fault
  if (name.toLowerCase() === 'transfer-encoding') {
    return `The body is sent as it is, with its length. Leave out the header ${name}.`
  }
  return null
}

/** Why an address cannot be sent to. The sentence repeats neither user name nor password. */
export function faultOfAddress(url: URL): string | null {
  if (!isHttp(url)) {
    return `The address begins with "${url.protocol}". Use http or https.`
  }
  if (url.username !== '' || url.password !== '') {
    return 'The URL contains a user name or password. Remove it, and send it as a header.'
  }
  return null
}

/** Why a method cannot be sent (RFC 9110, 9.1). */
export function faultOfMethod(method: string): string | null {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) {
    return 'The method is not one word of letters. Use one such as GET or POST.'
  }
  if (method.toUpperCase() === 'CONNECT') {
    return 'CONNECT asks a proxy for a tunnel and cannot be sent here. Use another method.'
  }
  return null
}

/** Why a header or a trailer cannot be written (RFC 9110, 5). Its value goes out as Latin-1. */
export function faultOfField(name: string, value: string): string | null {
  try {
    validateHeaderName(name)
  } catch {
    return `"${name}" is no name of a header. Use letters, digits and hyphens.`
  }
  try {
    validateHeaderValue(name, value)
  } catch {
    return `The value of the header ${name} holds a character that cannot be sent, such as a line break or one beyond Latin-1.`
  }
  return null
}
