import type { Place, Target } from '#contract/sending.ts'
import { AppError } from '../platform/errors.ts'
import { targetAddress } from '#shared/text/address.ts'
import { faultOfAddress } from '../platform/http/request-head.ts'
import type { SenderConfiguration } from './sender-configuration.ts'
import { hostOf, knownAddresses, locationOfAddress, lookUp } from '../platform/http/addresses.ts'
import type { Captured } from '../deliveries/store.ts'

/** On this machine or in its network: needs no confirmation. */
export function isNear(location: Place): boolean {
  return location === 'own' || location === 'loopback' || location === 'private'
}

/** Throws `target_unconfirmed` for a public target that is not confirmed. */
export function assertTargetAllowed({ origin, location, confirmed }: Target): void {
  if (location !== 'public' || confirmed) return
  throw new AppError(
    'target_unconfirmed',
    `${origin} is outside this machine and its network, and is not confirmed yet. Confirm it once to allow sending deliveries there.`,
    { details: { origin } },
  )
}

const lookUpMs = 5000

/** `localhost:3000` means `http://localhost:3000`. Throws `bad_target` if the URL is invalid, not http or https, or contains credentials. */
export function parseTarget(typed: string): URL {
  const text = targetAddress(typed)
  const fault = /[\0-\x1f\x7f]/.test(text)
    ? 'The URL contains a line break or another invisible character. Remove it.'
    : faultOfText(text)
  if (fault) throw new AppError('bad_target', fault)
  const url = new URL(text)
  url.hash = ''
  return url
}

function faultOfText(text: string): string | null {
  // A host and port alone would parse as a scheme and a path.
  if (/^[\w.-]+:\d+(?:[/?#]|$)/.test(text) || !/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    return 'Enter a full URL, such as http://localhost:3000/webhooks.'
  }
  const scheme = /^[^:]*/.exec(text)?.[0].toLowerCase() ?? ''
  if (scheme !== 'http' && scheme !== 'https') {
    return `The scheme ${scheme}: is not supported. Use http:// or https://.`
  }
  if (!URL.canParse(text)) return 'The URL is invalid. Check its host and port.'
  const url = new URL(text)
  return (
    faultOfAddress(url) ??
    (url.port === '0' ? 'Port 0 is not valid. Enter the port of the target.' : null)
  )
}

export async function lookUpTarget(url: URL, configuration: SenderConfiguration): Promise<Target> {
  const location = await locationOf(url, configuration)
  const known = configuration.known(url.origin)
  return {
    origin: url.origin,
    location,
    confirmed: isNear(location) || (known?.confirmed ?? false),
    verifyTls: known?.verifyTls ?? true,
  }
}

/** Throws `target_unconfirmed` if the target is public and not confirmed. */
export async function assertConfirmed(
  url: URL,
  configuration: SenderConfiguration,
): Promise<Target> {
  const target = await lookUpTarget(url, configuration)
  assertTargetAllowed(target)
  return target
}

async function locationOf(
  url: URL,
  { listener, network }: Pick<SenderConfiguration, 'listener' | 'network'>,
): Promise<Place> {
  const addresses = await addressesOf(hostOf(url))
  if (addresses.length === 0) return (await network.mayUseProxy(url)) ? 'public' : 'unresolved'
  const locations = addresses.map(locationOfAddress)
  if (locations.includes('public')) return 'public'
  if (locations.includes('private')) return 'private'
  return listener !== null && portOf(url) === portOf(new URL(listener)) ? 'own' : 'loopback'
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

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
 * Whether a request to `url` reaches the Tabscope listener under one of its public addresses, `https://bar.example/hooks/` only below that path.
 * http and https at their default ports count as equal, because a tunnel has both.
 */
export function pointsToSelf(url: URL, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const publicUrl = new URL(address)
    return (
      hostOf(publicUrl) === hostOf(url) &&
      publicUrl.port === url.port &&
      url.pathname.startsWith(publicUrl.pathname)
    )
  })
}

export function loopMessage({ origin }: URL): string {
  return `${origin} is the public URL of this listener, so a forwarded request would be received and forwarded again. Forward to another URL.`
}

/** Throws `bad_target`. */
export function assertNoLoop(url: URL, addresses: readonly string[]): void {
  if (pointsToSelf(url, addresses)) throw new AppError('bad_target', loopMessage(url))
}

/**
 * Where a delivery was last sent manually, else the first forward target of its endpoint that accepts its type, else the Tabscope listener with the
 * delivery's path. Throws `bad_target` if there is none of them.
 */
export function defaultUrlOf(
  captured: Pick<Captured, 'id' | 'endpointId' | 'type' | 'path'>,
  lastUrl: string | null,
  configuration: SenderConfiguration,
): URL {
  if (lastUrl !== null) return parseTarget(lastUrl)
  const { endpointId, type, path } = captured
  const forwarded = endpointId === null ? null : forwardUrlOf(endpointId, type, configuration)
  if (forwarded !== null) return parseTarget(forwarded)
  if (
    configuration.listener !== null &&
    path.startsWith('/') &&
    URL.canParse(configuration.listener + path)
  ) {
    return parseTarget(configuration.listener + path)
  }
  throw new AppError(
    'bad_target',
    `Delivery ${captured.id} has no default target: it was never sent, its endpoint has no forward target, and the listener is not running. Enter a target URL.`,
  )
}

/** The endpoint's first enabled forward target that accepts the type; null if there is none. */
export function forwardUrlOf(
  endpointId: number,
  type: string | null,
  configuration: SenderConfiguration,
): string | null {
  const match = configuration.forwards.find(
    (forward) =>
      forward.enabled &&
      forward.endpointId === endpointId &&
      (forward.types.length === 0 || (type !== null && forward.types.includes(type))),
  )
  return match?.url ?? null
}
