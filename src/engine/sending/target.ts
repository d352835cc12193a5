import { BlockList, isIP, type IPVersion } from 'node:net'
import type { Place, Target } from '#contract/sending.ts'
import { AppError } from '../platform/errors.ts'
import { withScheme } from '#contract/http.ts'
import type { SenderConfiguration } from './sender-configuration.ts'
import { hostOf, knownAddresses, lookUp } from '../platform/http/addresses.ts'
import type { Captured } from '../deliveries/store.ts'

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

/** Nobody is asked about what is on this machine or in its network. */
export function isNear(place: Place): boolean {
  return place === 'own' || place === 'loopback' || place === 'private'
}

/** Throws `target_unconfirmed` for a public one that nobody has confirmed yet. */
export function assertMayGoTo({ origin, place, confirmed }: Target): void {
  if (place !== 'public' || confirmed) return
  throw new AppError(
    'target_unconfirmed',
    `${origin} is outside this machine and its network, and nothing was sent there yet. Confirm it once if deliveries may go there.`,
    { details: { origin } },
  )
}

/** A name that is not found within so many milliseconds counts as not found. */
const lookUpMs = 5000

/** The address as parsed; `localhost:3000` is taken for `http://localhost:3000`. Throws `bad_target`, with what to do: not http or https, a user name or password in it, no address at all. */
export function parseTarget(typed: string): URL {
  const text = withScheme(typed)
  const fault = /[\0-\x1f\x7f]/.test(text)
    ? 'The URL contains a line break or another invisible character. Remove it.'
    : faultOfText(text)
  if (fault) throw new AppError('bad_target', fault)
  const url = new URL(text)
  url.hash = ''
  return url
}

function faultOfText(text: string): string | null {
  // A host and a port alone are read as a scheme and a path.
  if (/^[\w.-]+:\d+(?:[/?#]|$)/.test(text) || !/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    return 'Enter a full URL, such as http://localhost:3000/webhooks.'
  }
  const scheme = /^[^:]*/.exec(text)?.[0].toLowerCase() ?? ''
  if (scheme !== 'http' && scheme !== 'https') {
    return `Nothing can be sent to an address that begins with ${scheme}: – use http:// or https://.`
  }
  if (!URL.canParse(text)) return 'The address cannot be read. Look at its host and port.'
  const { username, password, port } = new URL(text)
  if (username !== '' || password !== '') {
    return 'The URL contains a user name or password. Remove it, and send it as a header.'
  }
  return port === '0' ? 'Nothing listens at port 0. Write the port of the target.' : null
}

/** What is known of a target, its name looked up. */
export async function lookAt(url: URL, world: SenderConfiguration): Promise<Target> {
  const place = await placeOf(url, world.listener)
  const known = world.known(url.origin)
  return {
    origin: url.origin,
    place,
    confirmed: isNear(place) || (known?.confirmed ?? false),
    verifyTls: known?.verifyTls ?? true,
  }
}

/** Throws `target_unconfirmed` for a public one that nobody has confirmed yet; returns the target otherwise. */
export async function assertConfirmed(url: URL, world: SenderConfiguration): Promise<Target> {
  const target = await lookAt(url, world)
  assertMayGoTo(target)
  return target
}

async function placeOf(url: URL, listener: string | null): Promise<Place> {
  const addresses = await addressesOf(hostOf(url))
  if (addresses.length === 0) return 'unresolved'
  const places = addresses.map(placeOfAddress)
  if (places.includes('public')) return 'public'
  if (places.includes('private')) return 'private'
  return listener !== null && portOf(url) === portOf(new URL(listener)) ? 'own' : 'loopback'
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** None: it does not resolve. */
async function addressesOf(host: string): Promise<readonly string[]> {
  const known = knownAddresses(host)
  if (known) return known
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve([]), lookUpMs)
    lookUp(host, (_, addresses) => {
      clearTimeout(late)
      resolve(addresses)
    })
  })
}

/**
 * Whether what is sent to `url` comes back to our own listener: it is under one of the public addresses that lead there (`https://pier9.example/`;
 * `https://bar.example/hooks/`, where only what is under that path does). http and https at their usual ports are one place: a tunnel has both.
 */
export function leadsBack(url: URL, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const publicUrl = new URL(address)
    return (
      hostOf(publicUrl) === hostOf(url) &&
      publicUrl.port === url.port &&
      url.pathname.startsWith(publicUrl.pathname)
    )
  })
}

/** Why nothing is forwarded to what leads back. */
export function loopSentence({ origin }: URL): string {
  return `${origin} is the public address of this very listener: a request forwarded there would be received and forwarded again. Forward to another URL.`
}

/** Throws `bad_target`. */
export function assertNoLoop(url: URL, addresses: readonly string[]): void {
  if (leadsBack(url, addresses)) throw new AppError('bad_target', loopSentence(url))
}

/**
 * Where a delivery goes when nobody says: where it was last sent by hand, else to the first forward target of its endpoint that takes its type,
 * else to our own listener, by the path on which it came. Throws `bad_target` where there is none of them.
 */
export function defaultUrlOf(
  captured: Pick<Captured, 'id' | 'endpointId' | 'type' | 'path'>,
  lastUrl: string | null,
  world: SenderConfiguration,
): URL {
  if (lastUrl !== null) return parseTarget(lastUrl)
  const { endpointId, type, path } = captured
  const forwarded = endpointId === null ? null : forwardUrlOf(endpointId, type, world)
  if (forwarded !== null) return parseTarget(forwarded)
  if (world.listener !== null && path.startsWith('/') && URL.canParse(world.listener + path)) {
    return parseTarget(world.listener + path)
  }
  throw new AppError(
    'bad_target',
    `Nobody knows where delivery ${captured.id} is to go: it was never sent, its endpoint has no forward target, and Tabscope does not listen. Say where to.`,
  )
}

/** The first forward target of an endpoint that is on and takes the type; null: there is none. */
export function forwardUrlOf(
  endpointId: number,
  type: string | null,
  world: SenderConfiguration,
): string | null {
  const fitting = world.forwards.find(
    (forward) =>
      forward.on &&
      forward.endpointId === endpointId &&
      (forward.types.length === 0 || (type !== null && forward.types.includes(type))),
  )
  return fitting?.url ?? null
}
