import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { parseJson } from '#shared/json/object.ts'
import { hostOf, knownAddresses, lookUp } from '../../platform/http/addresses.ts'
import { HttpFailure, type HttpResponse } from '../../platform/http/http.ts'
import { sendRequest } from '../../platform/http/request.ts'
import { locationOfAddress, type AddressLocation } from '../../sending/target.ts'
import { originOf } from '../options.ts'
import { quoted } from '../program/reader.ts'
import { TunnelFailure, type OpenTunnel, type ProviderEvents } from '../provider.ts'
import { Connections } from './connections.ts'
import { nameRule } from './names.ts'

export interface ClientOptions {
  readonly host: string
  readonly name: string | null
  /** The user requested the name; otherwise it is that of the last tunnel. */
  readonly byUser: boolean
  readonly port: number
}

interface OpenClient extends Pick<OpenTunnel, 'url' | 'closed'> {
  readonly id: string
}

interface Assigned {
  readonly id: string
  readonly url: string
  /** Set if it is not the address of the server's host. */
  readonly ip: string | null
  readonly port: number
  readonly most: number
}

/** Regardless of what the server requests: each one takes two sockets here. The server's default is 10. */
const maxConnections = 64

const TunnelResponse = z.object({
  id: z.string().min(1).max(200),
  url: z.string(),
  port: z.int().min(1).max(65_535),
  ip: z.string().nullish(),
  max_conn_count: z.unknown().optional(),
})

const distance: Readonly<Record<AddressLocation, number>> = { loopback: 0, private: 1, public: 2 }

/** Parses a 200 response of the server. `serverLocation`: the nearest of the server's own addresses. Throws `TunnelFailure`. */
export function assignedBy(
  data: unknown,
  server: string,
  serverLocation: AddressLocation,
): Assigned {
  const invalid = (what: string, hint = ''): TunnelFailure =>
    new TunnelFailure(
      'server_answer',
      `${server} responded with ${what}. Check that it is a localtunnel server.${hint}`,
    )
  const parsed = TunnelResponse.safeParse(data)
  if (!parsed.success) {
    const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ')
    throw invalid(
      fields === ''
        ? 'something else instead of a tunnel'
        : `an invalid tunnel (wrong or missing: ${fields})`,
    )
  }
  const { id, url, port, ip, max_conn_count: requested } = parsed.data
  const origin = originOf(url)
  if (origin === null) {
    const byNumber = isIP(hostOf(new URL(server))) !== 0
    const hint = byNumber ? ' Enter its host name instead of its IP address.' : ''
    throw invalid(`an invalid URL (${quotedServerText(url)})`, hint)
  }
  if (ip) refuseInner(ip, port, server, serverLocation)
  const most = typeof requested === 'number' && requested >= 1 ? Math.floor(requested) : 1
  return { id, url: origin, ip: ip ? ip : null, port, most: Math.min(most, maxConnections) }
}

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
  { host, name, byUser }: Pick<ClientOptions, 'host' | 'name' | 'byUser'>,
): TunnelFailure {
  if (status < 400 || status >= 500) {
    return new TunnelFailure(
      'server_answer',
      `${host} responded with status ${status} instead of a tunnel. Check that it is a localtunnel server.`,
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

function requestFailure({ code, message }: HttpFailure): TunnelFailure {
  switch (code) {
    case 'aborted':
      return stopped()
    case 'unresolved':
      return new TunnelFailure(
        'server_unresolved',
        `The tunnel's server cannot be found. ${message} Check your internet connection.`,
      )
    case 'malformed':
      return new TunnelFailure('server_answer', message)
    default:
      return new TunnelFailure(
        'server_down',
        `The tunnel's server is down or cannot be reached. ${message}`,
      )
  }
}

const stopped = (): TunnelFailure =>
  new TunnelFailure('stopped', 'The tunnel was closed while it was being opened.')

const responseBytes = 256 * 1024

/** Aborting the signal closes the tunnel, also while it opens. Rejects with `TunnelFailure`. */
async function openClient(
  options: ClientOptions,
  events: ProviderEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  const { host, name, port } = options
  let response: HttpResponse
  try {
    response = await sendRequest({
      method: 'GET',
      url: new URL(`${host}/${name ?? '?new'}`),
      headers: [
        ['Accept', 'application/json'],
        ['Accept-Encoding', 'identity'],
        ['User-Agent', 'Tabscope'],
      ],
      body: null,
      timeout: 15_000,
      maxBytes: responseBytes,
      signal,
    })
  } catch (error) {
    throw error instanceof HttpFailure ? requestFailure(error) : error
  }
  const data = parseJson(Buffer.from(response.body).toString('utf8'))
  if (response.status !== 200) throw statusFailure(response.status, data, options)
  const url = new URL(host)
  // Looked up once, so that the server cannot move to an internal address between its response and our connections.
  const addresses = await addressesOf(hostOf(url))
  const locations = addresses.map(locationOfAddress)
  const nearest = locations.find((location) => location !== 'public') ?? 'public'
  const assigned = assignedBy(data, host, nearest)
  if (signal.aborted) throw stopped()

  const opened = Promise.withResolvers<void>()
  const connections = new Connections({
    server: {
      host: assigned.ip ?? hostOf(url),
      port: assigned.port,
      lookup: lookupOf(addresses),
      autoSelectFamilyAttemptTimeout: 2000,
    },
    label: `${assigned.ip ?? url.hostname}:${assigned.port}`,
    most: assigned.most,
    port,
    opened: opened.resolve,
    events,
  })
  const close = (): void => void connections.close()
  signal.addEventListener('abort', close, { once: true })
  const closed = connections.run().finally(() => signal.removeEventListener('abort', close))
  const failure = await Promise.race([opened.promise, closed])
  if (failure) {
    throw new TunnelFailure(
      'server_down',
      `${host} assigned a tunnel, but Tabscope cannot connect to it: ${connections.reason}. A firewall or a network that only allows web traffic may block the connection.`,
    )
  }
  if (failure === null) throw stopped()
  return { id: assigned.id, url: assigned.url, closed }
}

function addressesOf(host: string): Promise<readonly string[]> {
  const known = knownAddresses(host)
  if (known) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    lookUp(host, (error, addresses) => {
      if (error) {
        reject(new TunnelFailure('server_unresolved', "The tunnel's server cannot be found."))
      } else resolve(addresses)
    })
  })
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = all
  return (_host, options, done) =>
    setImmediate(() => (options.all ? done(null, all) : done(null, first.address, first.family)))
}

/** The server reserves a name for a second after the client's last connection has closed. */
const nameReservedMs = 1300

/** If another name was assigned than was requested, retries once: our own previous tunnel often still holds it. Rejects with `TunnelFailure`. */
export async function openByName(
  options: ClientOptions,
  events: ProviderEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  const retrying = new AbortController()
  const client = await openClient(options, events, AbortSignal.any([signal, retrying.signal]))
  if (options.name === null || options.name === client.id || signal.aborted) return client
  retrying.abort()
  await client.closed
  try {
    await pause(nameReservedMs, undefined, { signal })
  } catch {
    throw stopped()
  }
  return openClient(options, events, signal)
}

/** Safe in the middle of a sentence. */
export function quotedServerText(text: string): string {
  return quoted(text).replace(/(?<!\.)\.+$/, '')
}
