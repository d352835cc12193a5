import { lookup } from 'node:dns'
import { BlockList, isIP, type IPVersion } from 'node:net'

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

export type AddressLocation = 'loopback' | 'private' | 'public'

/** The unspecified address reaches this machine (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2). An IPv4-mapped IPv6 address counts as IPv4. */
const loopback = list([
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 32, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['::', 128, 'ipv6'],
])

const local = list([
  // RFC 1918
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  // RFC 3927: link-local
  ['169.254.0.0', 16, 'ipv4'],
  // RFC 6598: shared address space of a provider
  ['100.64.0.0', 10, 'ipv4'],
  // RFC 4193: unique local
  ['fc00::', 7, 'ipv6'],
  // RFC 4291, 2.5.6: link-local
  ['fe80::', 10, 'ipv6'],
])

/** Everything that is not known to be loopback or private is public. */
export function locationOfAddress(address: string): AddressLocation {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  // The zone of a link-local address names the interface.
  const bare = address.replace(/%.*$/s, '')
  if (loopback.check(bare, family)) return 'loopback'
  return local.check(bare, family) ? 'private' : 'public'
}

function list(subnets: readonly (readonly [net: string, prefix: number, family: IPVersion])[]) {
  const blocks = new BlockList()
  for (const [net, prefix, family] of subnets) blocks.addSubnet(net, prefix, family)
  return blocks
}
