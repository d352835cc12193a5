import { isIP } from 'node:net'
import { z } from 'zod'
import { hostOf } from '../../http/addresses.ts'
import { placeOfAddress, type AddressPlace } from '../../send/target/place.ts'
import { originOf } from '../origin.ts'
import { TunnelFailure } from '../provider.ts'
import { quotedServerText } from './server-text.ts'

/** What its server has given us. */
export interface Assigned {
  readonly id: string
  /** The public origin. */
  readonly url: string
  /** Where the connections go, if not to the server's own host. */
  readonly ip: string | null
  readonly port: number
  /** How many connections there are to be. */
  readonly most: number
}

/** More are not opened, whatever a server asks for: each is two sockets here. Its own default is 10. */
const mostConnections = 64

const Answer = z.object({
  id: z.string().min(1).max(200),
  url: z.string(),
  port: z.int().min(1).max(65_535),
  ip: z.string().nullish(),
  max_conn_count: z.unknown().optional(),
})

const distance: Readonly<Record<AddressPlace, number>> = { loopback: 0, private: 1, public: 2 }

/**
 * What a 200 of the server gives us. The client would take anything for a tunnel, and connect to port `undefined`. `near`: where the server itself
 * is, as near as any of its addresses. Throws `TunnelFailure`.
 */
export function assignedBy(data: unknown, server: string, near: AddressPlace): Assigned {
  const wrong = (what: string, hint = ''): TunnelFailure =>
    new TunnelFailure(
      'server_answer',
      `${server} answered ${what}: is this a localtunnel server?${hint}`,
    )
  if (typeof data === 'string') {
    throw wrong(
      /^\s*</.test(data) ? 'a web page in place of a tunnel' : 'text in place of a tunnel',
    )
  }
  const parsed = Answer.safeParse(data)
  if (!parsed.success) {
    const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ')
    throw wrong(
      fields === ''
        ? 'something else in place of a tunnel'
        : `a tunnel that cannot be (wrong or absent: ${fields})`,
    )
  }
  const { id, url, port, ip, max_conn_count: asked } = parsed.data
  const origin = originOf(url)
  if (origin === null) {
    const byNumber = isIP(hostOf(new URL(server))) !== 0
    const hint = byNumber ? ' Its own name has to be given as its host, not its IP address.' : ''
    throw wrong(`with an address that cannot be (${quotedServerText(url)})`, hint)
  }
  if (ip) refuseInner(ip, port, server, near)
  const most = typeof asked === 'number' && asked >= 1 ? Math.floor(asked) : 1
  return { id, url: origin, ip: ip ? ip : null, port, most: Math.min(most, mostConnections) }
}

/**
 * A server may send its clients to another address. Not from the internet into this network or this machine, though: whatever listens there would
 * be joined with the outside by our own hand.
 */
function refuseInner(ip: string, port: number, server: string, near: AddressPlace): void {
  const refused = (why: string): TunnelFailure =>
    new TunnelFailure(
      'server_answer',
      `${server} sends its clients to ${quotedServerText(ip)}, port ${port}: ${why}. Tabscope does not connect there.`,
    )
  if (isIP(ip) === 0) throw refused('that is no IP address')
  const place = placeOfAddress(ip)
  if (distance[place] < distance[near]) {
    throw refused(`an address ${place === 'loopback' ? 'of this machine' : 'inside the network'}`)
  }
  if (place !== 'public' && port < 1024) throw refused('a port of the system')
}
