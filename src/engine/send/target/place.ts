import { BlockList, isIP, type IPVersion } from 'node:net'

/** Where one address is. */
export type AddressPlace = 'loopback' | 'private' | 'public'

/** An unspecified address reaches this machine (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2). An IPv4 address written as IPv6 is judged as IPv4. */
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
  // RFC 6598: shared by the customers of one provider
  ['100.64.0.0', 10, 'ipv4'],
  // RFC 4193: unique local
  ['fc00::', 7, 'ipv6'],
  // RFC 4291, 2.5.6: link-local
  ['fe80::', 10, 'ipv6'],
])

/** Where an IP address is. All that is not surely near is public. */
export function placeOfAddress(address: string): AddressPlace {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  // The zone of a link-local address says by which interface, not where.
  const bare = address.replace(/%.*$/s, '')
  if (loopback.check(bare, family)) return 'loopback'
  return local.check(bare, family) ? 'private' : 'public'
}

function list(subnets: readonly (readonly [net: string, prefix: number, family: IPVersion])[]) {
  const blocks = new BlockList()
  for (const [net, prefix, family] of subnets) blocks.addSubnet(net, prefix, family)
  return blocks
}
