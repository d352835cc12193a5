import { withScheme } from '#contract/http.ts'
import type { Place, Target } from '#contract/sending.ts'
import { AppError } from '../../errors.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import { assertMayGoTo, isNear } from './confirmed.ts'
import { hostOf, knownAddresses, lookUp } from '../../http/addresses.ts'
import { placeOfAddress } from './place.ts'

/** A name that is not found within so many milliseconds counts as not found. */
const lookUpMs = 5000

/** The address as parsed; `localhost:3000` is taken for `http://localhost:3000`. Throws `bad_target`, with what to do: not http or https, a user name or password in it, no address at all. */
export function parseTarget(typed: string): URL {
  const text = withScheme(typed)
  const fault = /[\0-\x1f\x7f]/.test(text)
    ? 'The address holds a line break or another character that cannot be seen. Take it out.'
    : faultOfText(text)
  if (fault) throw new AppError('bad_target', fault)
  const url = new URL(text)
  url.hash = ''
  return url
}

function faultOfText(text: string): string | null {
  // A host and a port alone are read as a scheme and a path.
  if (/^[\w.-]+:\d+(?:[/?#]|$)/.test(text) || !/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    return 'Write a whole address, such as http://localhost:3000/webhooks.'
  }
  const scheme = /^[^:]*/.exec(text)?.[0].toLowerCase() ?? ''
  if (scheme !== 'http' && scheme !== 'https') {
    return `Nothing can be sent to an address that begins with ${scheme}: – use http:// or https://.`
  }
  if (!URL.canParse(text)) return 'The address cannot be read. Look at its host and port.'
  const { username, password, port } = new URL(text)
  if (username !== '' || password !== '') {
    return 'The address holds a user name or a password. Take it out, and send it as a header.'
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
