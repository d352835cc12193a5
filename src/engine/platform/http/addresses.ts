import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** `localhost` and all below it are this machine, whatever a name server says (RFC 6761, 6.3). IPv4 first: most local servers are there. */
const localAddresses: readonly string[] = ['127.0.0.1', '::1']

/** The host of an address as a name server or a socket takes it: without the brackets of IPv6 and the dot at the end of a name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Addresses that need no looking up; null: it is a name that does. */
export function knownAddresses(host: string): readonly string[] | null {
  if (isIP(host) !== 0) return [host]
  return host === 'localhost' || host.endsWith('.localhost') ? localAddresses : null
}

/** All the addresses of a name, in the order in which they are to be tried. */
export function lookUp(
  host: string,
  done: (error: Error | null, addresses: readonly string[]) => void,
): void {
  lookup(host, { all: true }, (error, found) =>
    done(error, error ? [] : found.map(({ address }) => address)),
  )
}

/**
 * As `dns.lookup`, for Node's own clients: names that are this machine's whatever a name server says are not looked up. A resolver that does not
 * know `*.localhost` would else hide a server that is there.
 */
export const lookUpAsKnown: LookupFunction = (host, options, done) => {
  const known = knownAddresses(host.replace(/\.$/, ''))
  if (!known) {
    lookup(host, options, done)
    return
  }
  const addresses = known.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = addresses
  // As a name server would answer: not within the call.
  setImmediate(() =>
    options.all ? done(null, addresses) : done(null, first.address, first.family),
  )
}
