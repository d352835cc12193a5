import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** Addresses of `localhost` and its subdomains, without DNS (RFC 6761, section 6.3). IPv4 first: most local servers use it. */
const localAddresses: readonly string[] = ['127.0.0.1', '::1']

/** Returns the host of a URL for DNS or a socket: without the brackets of IPv6 and without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Returns the addresses of a host that needs no DNS lookup; null: it needs one. */
export function knownAddresses(host: string): readonly string[] | null {
  if (isIP(host) !== 0) return [host]
  return host === 'localhost' || host.endsWith('.localhost') ? localAddresses : null
}

/** Looks up all addresses of a name, in the order in which to try them. */
export function lookUp(
  host: string,
  done: (error: Error | null, addresses: readonly string[]) => void,
): void {
  lookup(host, { all: true }, (error, found) =>
    done(error, error ? [] : found.map(({ address }) => address)),
  )
}

/**
 * Like `dns.lookup`, for Node's HTTP clients, but without DNS for `*.localhost`: some resolvers do not know these names, which would make a local
 * server unreachable.
 */
export const lookUpAsKnown: LookupFunction = (host, options, done) => {
  const known = knownAddresses(host.replace(/\.$/, ''))
  if (!known) {
    lookup(host, options, done)
    return
  }
  const addresses = known.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = addresses
  // Calls back asynchronously, as DNS does.
  setImmediate(() =>
    options.all ? done(null, addresses) : done(null, first.address, first.family),
  )
}
