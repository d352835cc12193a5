import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Header } from '#contract/models.ts'
import { throttle } from '#shared/async/throttle.ts'
import { parseJson } from '#shared/json/object.ts'
import { steadyClock } from '../../platform/clock.ts'
import { hostOf, knownAddresses, lookUp } from '../../platform/http/addresses.ts'
import { HttpFailure, type HttpResponse } from '../../platform/http/http.ts'
import type { Network } from '../../platform/http/network.ts'
import { sendRequest } from '../../platform/http/request.ts'
import { locationOfAddress, type AddressLocation } from '../../sending/target.ts'
import { originOf } from '../options.ts'
import { quoted } from '../program/reader.ts'
import { TunnelFailure, type OpenTunnel, type ProviderEvents } from '../provider.ts'
import { Connections } from './connections.ts'
import { nameRule } from './names.ts'

// The client of a localtunnel server: a request gives it a name and a port, to which it keeps some connections open. The server writes each public
// request onto one of them as it is, and passes what comes back to the sender.

export interface ClientRequest {
  /** The origin of the server. */
  readonly host: string
  readonly name: string | null
  /** The user requested the name; otherwise it is that of the last tunnel. */
  readonly byUser: boolean
  readonly port: number
}

interface OpenClient {
  readonly id: string
  readonly url: string
  readonly closed: OpenTunnel['closed']
}

interface Assigned {
  readonly id: string
  readonly url: string
  /** Set if it is not the address of the server's host. */
  readonly ip: string | null
  readonly port: number
  readonly most: number
}

const limits = {
  response: 256 * 1024,
  redirects: 5,
  requestMs: 30_000,
  /** For pending responses when the tunnel is closed. */
  graceMs: 250,
  countsMs: 100,
  /** Regardless of what the server requests: each one takes two sockets here. The server's default is 10. */
  connections: 64,
  /** The server reserves a name for a second after the last connection has closed. */
  nameReservedMs: 1300,
}

const stopped = (): TunnelFailure =>
  new TunnelFailure('stopped', 'The tunnel was closed while it was being opened.')

/** If another name was assigned than was requested, retries once: our own previous tunnel often still holds it. Rejects with `TunnelFailure`. */
export async function openByName(
  request: ClientRequest,
  network: Network,
  events: ProviderEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  const retrying = new AbortController()
  const either = AbortSignal.any([signal, retrying.signal])
  const client = await openClient(request, network, events, either)
  if (request.name === null || request.name === client.id || signal.aborted) return client
  retrying.abort()
  await client.closed
  try {
    await pause(limits.nameReservedMs, undefined, { signal })
  } catch {
    throw stopped()
  }
  return openClient(request, network, events, signal)
}

async function openClient(
  request: ClientRequest,
  network: Network,
  events: ProviderEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  const { assigned, address } = await requestTunnel(request, network, signal)
  const opening = Promise.withResolvers<OpenClient>()
  const closed = Promise.withResolvers<TunnelFailure | null>()
  const { id, url, most, port } = assigned
  let isOpen = false
  const counted = throttle(steadyClock, limits.countsMs, () => {
    if (!signal.aborted) events.connections(connections.count, most)
  })
  const end = (failure: TunnelFailure | null): void => {
    signal.removeEventListener('abort', close)
    counted.stop()
    connections.destroy()
    closed.resolve(failure)
    opening.reject(failure ?? stopped())
  }
  const close = (): void => {
    void connections.close(limits.graceMs).then(() => end(null))
  }
  const lost = async (reason: string): Promise<void> => {
    const sentence = isOpen
      ? `The tunnel closed: ${reason}. Its server was restarted or dropped the tunnel.`
      : `${request.host} assigned a tunnel, but Tabscope cannot connect to it: ${reason}. ${await blockedHint(request, network)}`
    if (!signal.aborted) end(new TunnelFailure(isOpen ? 'ended' : 'server_down', sentence))
  }
  const connections = new Connections({
    most,
    server: `${assigned.ip ?? new URL(request.host).hostname}:${port}`,
    address,
    port,
    localPort: request.port,
    opened: () => {
      isOpen = true
      opening.resolve({ id, url, closed: closed.promise })
    },
    counted: () => counted.wanted(),
    none: (reason) => void lost(reason),
  })
  signal.addEventListener('abort', close, { once: true })
  connections.fill()
  return opening.promise
}

async function blockedHint({ host }: ClientRequest, network: Network): Promise<string> {
  return (await network.mayUseProxy(new URL(host)))
    ? 'The connections of localtunnel do not go through the proxy. Use cloudflared or ngrok, or ask for a direct connection to this port.'
    : 'A firewall or a network that only allows web traffic may block the connection.'
}

/** `address`: found before, so that the name cannot move to an internal one between the response and the connections. Rejects with `TunnelFailure`. */
async function requestTunnel(
  request: ClientRequest,
  network: Network,
  signal: AbortSignal,
): Promise<{ assigned: Assigned; address: string }> {
  const { host, name } = request
  let url = new URL(name === null ? '/?new' : `/${name}`, host)
  for (let redirects = 0; redirects <= limits.redirects; redirects += 1) {
    const response = await answered(url, request, network, signal)
    const location = response.headers.find(([key]) => key.toLowerCase() === 'location')?.[1]
    const next = [301, 302, 303, 307, 308].includes(response.status) && location
    if (next && URL.canParse(next, url.href)) {
      url = new URL(next, url)
      continue
    }
    const data = parseJson(Buffer.from(response.body).toString())
    if (response.status !== 200) throw statusFailure(response.status, data, request)
    if (response.truncated) {
      throw notLocaltunnel(`The response of ${host} is too large.`)
    }
    const addresses = await resolveHost(hostOf(new URL(host)))
    if (signal.aborted) throw stopped()
    const assigned = assignedBy(data, host, nearest(addresses))
    return { assigned, address: assigned.ip ?? addresses[0] ?? hostOf(new URL(host)) }
  }
  throw notLocaltunnel(`${host} redirects too many times.`)
}

function notLocaltunnel(what: string): TunnelFailure {
  return new TunnelFailure('server_answer', `${what} Check that it is a localtunnel server.`)
}

async function answered(
  url: URL,
  { host }: ClientRequest,
  network: Network,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { response: maxBytes, requestMs: timeout } = limits
  const headers: Header[] = [['Accept', 'application/json']]
  try {
    const request = { method: 'GET', url, headers, body: null, timeout, maxBytes, signal }
    return await sendRequest(request, network)
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    const { code, message } = error
    if (code === 'aborted') throw stopped()
    if (code === 'malformed') throw new TunnelFailure('server_answer', message)
    if (code === 'invalid_request') throw notLocaltunnel(`${host} redirects to another protocol.`)
    throw code === 'unresolved'
      ? new TunnelFailure(
          'server_unresolved',
          `The tunnel's server cannot be found. ${message} Check your internet connection.`,
        )
      : new TunnelFailure(
          'server_down',
          `The tunnel's server is down or cannot be reached. ${message}`,
        )
  }
}

const TunnelResponse = z.object({
  id: z.string().min(1).max(200),
  url: z.string(),
  port: z.int().min(1).max(65_535),
  ip: z.string().nullish(),
  max_conn_count: z.unknown().optional(),
})

/** Parses a 200 response of the server. `serverLocation`: the nearest of the server's own addresses. Throws `TunnelFailure`. */
export function assignedBy(
  data: unknown,
  server: string,
  serverLocation: AddressLocation,
): Assigned {
  const parsed = TunnelResponse.safeParse(data)
  const origin = parsed.success ? originOf(parsed.data.url) : null
  if (!parsed.success || origin === null) {
    throw new TunnelFailure(
      'server_answer',
      `${server} responded with something else than a tunnel. Check that it is a localtunnel server, and enter its host name, not its IP address.`,
    )
  }
  const { id, port, ip, max_conn_count: requested } = parsed.data
  if (ip) refuseInner(ip, port, server, serverLocation)
  const most = typeof requested === 'number' && requested >= 1 ? Math.floor(requested) : 1
  return { id, url: origin, ip: ip ? ip : null, port, most: Math.min(most, limits.connections) }
}

const distance: Readonly<Record<AddressLocation, number>> = { loopback: 0, private: 1, public: 2 }

/** A server may not redirect its clients from the internet into this network or this machine: that would expose whatever listens there. */
function refuseInner(
  ip: string,
  port: number,
  server: string,
  serverLocation: AddressLocation,
): void {
  const refused = (why: string): TunnelFailure =>
    new TunnelFailure(
      'server_answer',
      `${server} directs its clients to ${quotedServerText(ip)}, port ${port}: ${why}. Tabscope does not connect there.`,
    )
  if (isIP(ip) === 0) throw refused('this is not an IP address')
  const location = locationOfAddress(ip)
  if (distance[location] < distance[serverLocation]) {
    throw refused(
      `this address is ${location === 'loopback' ? 'on this machine' : 'inside your network'}`,
    )
  }
  if (location !== 'public' && port < 1024) throw refused('this is a system port')
}

const Refusal = z.object({ message: z.string().min(1) })

export function statusFailure(
  status: number,
  data: unknown,
  { host, name, byUser }: Pick<ClientRequest, 'host' | 'name' | 'byUser'>,
): TunnelFailure {
  if (status < 400 || status >= 500) {
    return new TunnelFailure(
      'server_answer',
      `${host} responded with status ${status} instead of a tunnel.`,
    )
  }
  const { data: refusal } = Refusal.safeParse(data)
  const why = refusal ? `: ${quotedServerText(refusal.message)}` : ''
  const requested = name === null ? '' : ` The requested subdomain is "${name}". ${nameRule}`
  // Only a rejected name is final. Any other refusal may be temporary.
  const final = status === 403 && byUser && /subdomain/i.test(why)
  return new TunnelFailure(
    'server_refused',
    `${host} refused to open a tunnel (status ${status})${why}.${requested}`,
    { retry: !final },
  )
}

/** Safe in the middle of a sentence. */
export function quotedServerText(text: string): string {
  return quoted(text).replace(/(?<!\.)\.+$/, '')
}

/** IPv4 first, as servers listen. Empty: only a proxy can look it up. */
function resolveHost(host: string): Promise<readonly string[]> {
  const known = knownAddresses(host)
  if (known) return Promise.resolve(known)
  return new Promise((resolve) => {
    lookUp(host, (error, addresses) =>
      resolve(error ? [] : addresses.toSorted((a, b) => isIP(a) - isIP(b))),
    )
  })
}

/** The nearest network location of the server's addresses. A name that only a proxy can look up counts as public. */
function nearest(addresses: readonly string[]): AddressLocation {
  return addresses.map(locationOfAddress).find((location) => location !== 'public') ?? 'public'
}
