import { hostOf, knownAddresses, locationOfAddress } from '../../../platform/http/addresses.ts'
import type { NetworkLink } from '../../../platform/http/network.ts'
import { badOption, originOf } from '../options.ts'
import type { TunnelCause } from '#contract/tunnel.ts'

export const publicServer = 'https://localtunnel.me'

export const nameRule =
  'A subdomain has 4 to 63 lower-case letters, digits and hyphens, and does not start or end with a hyphen.'

export function isName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{2,61}[a-z0-9]$/.test(text)
}

/** Decided without a lookup. */
export function isLoopback(url: URL): boolean {
  return (
    knownAddresses(hostOf(url))?.every((address) => locationOfAddress(address) === 'loopback') ??
    false
  )
}

/** Without a scheme the server is https, or http on this machine. Throws `bad_input`. */
export function serverOrigin(text: string): string {
  const origin = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? originOf(text) : withDefaultScheme(text)
  if (origin === null) {
    // Not quoted: it may contain a password.
    throw badOption(
      'host',
      'The option "host" is not a server address. Enter a host name or an http:// or https:// URL, optionally with a port, but without a path, query or credentials.',
    )
  }
  return origin
}

function withDefaultScheme(text: string): string | null {
  const secure = originOf(`https://${text}`)
  return secure !== null && isLoopback(new URL(secure)) ? originOf(`http://${text}`) : secure
}

export interface ClientData {
  readonly host: string
  readonly name: string | null
  /** The user requested the name; otherwise it is that of the last tunnel. */
  readonly byUser: boolean
  readonly port: number
  /** Null: the thread connects as its environment says. */
  readonly network: NetworkLink | null
}

/** A `TunnelFailure` as a message between threads. */
export interface ClientFault {
  readonly code: TunnelCause
  readonly message: string
  readonly retry: boolean
}

/** `failed`, `ended` and `closed` (the response to `close`) are final. */
export type ClientEvent =
  | { readonly event: 'opened'; readonly id: string; readonly url: string }
  | { readonly event: 'failed'; readonly fault: ClientFault }
  | { readonly event: 'connections'; readonly open: number; readonly most: number }
  | { readonly event: 'ended'; readonly reason: string }
  | { readonly event: 'closed' }

export type ClientCommand = 'close'
