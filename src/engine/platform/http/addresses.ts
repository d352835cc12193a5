import { lookup } from 'node:dns'
import { isIP } from 'node:net'

/** Without DNS (RFC 6761, section 6.3). IPv4 first: most local servers use it. */
const localAddresses: readonly string[] = ['127.0.0.1', '::1']

/** For DNS or a socket: without the brackets of IPv6 and without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Null: the host needs a DNS lookup. */
export function knownAddresses(host: string): readonly string[] | null {
  if (isIP(host) !== 0) return [host]
  return host === 'localhost' || host.endsWith('.localhost') ? localAddresses : null
}

export function lookUp(
  host: string,
  done: (error: Error | null, addresses: readonly string[]) => void,
): void {
  lookup(host, { all: true }, (error, found) =>
    done(error, error ? [] : found.map(({ address }) => address)),
  )
}
