import { hostOf, knownAddresses } from '../../platform/http/addresses.ts'
import { placeOfAddress } from '../../sending/target.ts'
import { badOption, originOf } from '../options.ts'
import type { TunnelCause } from '#contract/tunnel.ts'

/** What the client has as its default. */
export const publicServer = 'https://localtunnel.me'

export const nameRule =
  'A subdomain has 4 to 63 lower-case letters, digits and hyphens, and no hyphen at either end.'

export function isName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{2,61}[a-z0-9]$/.test(text)
}

/** Whether it is this machine by its name alone. */
export function isLoopback(url: URL): boolean {
  return (
    knownAddresses(hostOf(url))?.every((address) => placeOfAddress(address) === 'loopback') ?? false
  )
}

/** The origin of the server that a text names: without a scheme it is https, and http on this machine. Throws `bad_input`. */
export function serverOrigin(text: string): string {
  const origin = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? originOf(text) : guessed(text)
  if (origin === null) {
    // Not quoted: it may hold a password.
    throw badOption(
      'host',
      'The setting "host" is no address of a server. Give a name or an http:// or https:// address, perhaps with a port, and nothing behind it: no path, no query, no credentials.',
    )
  }
  return origin
}

function guessed(text: string): string | null {
  const secure = originOf(`https://${text}`)
  return secure !== null && isLoopback(new URL(secure)) ? originOf(`http://${text}`) : secure
}

/** What the thread of the client is started with. */
export interface ClientData {
  /** The origin of its server. */
  readonly host: string
  /** The name to ask for; null: any. */
  readonly name: string | null
  /** Whether the user asked for that name, and not only Tabscope, because it was ours the last time. */
  readonly byUser: boolean
  /** The local port that it leads to. */
  readonly port: number
}

/** Why there is no tunnel, as it crosses the thread. */
export interface ClientFault {
  readonly code: TunnelCause
  readonly message: string
  readonly retry: boolean
}

/** What the thread says. `failed` and `ended` are its last word, and so is `closed`, which answers `close`. */
export type ClientEvent =
  | { readonly event: 'opened'; readonly id: string; readonly url: string }
  | { readonly event: 'failed'; readonly fault: ClientFault }
  | { readonly event: 'connections'; readonly open: number; readonly most: number }
  | { readonly event: 'trouble'; readonly reason: string }
  | { readonly event: 'ended'; readonly reason: string }
  | { readonly event: 'closed' }

/** All that it is told. */
export type ClientOrder = 'close'
