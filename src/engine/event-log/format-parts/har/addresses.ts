import type { Header } from '#contract/models.ts'
import { uriPath } from '../uri.ts'
import { valueOf } from './parts.ts'

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
