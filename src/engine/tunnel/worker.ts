import dns, { type LookupAddress } from 'node:dns'
import { setDefaultAutoSelectFamilyAttemptTimeout, Socket, isIPv6, isIP } from 'node:net'
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import axios from 'axios/dist/node/axios.cjs'
import localtunnel from 'localtunnel'
import { steadyClock } from '../platform/clock.ts'
import { hostOf, knownAddresses, lookUp } from '../platform/http/addresses.ts'
import { throttle } from '#shared/async/throttle.ts'
import { placeOfAddress, type AddressPlace } from '../sending/target.ts'
import { Connections } from './localtunnel/connections.ts'
import {
  type ClientData,
  type ClientEvent,
  type ClientOrder,
  isLoopback,
  nameRule,
} from './localtunnel/names.ts'
import { TunnelFailure } from './provider.ts'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AxiosError } from 'axios'
import { z } from 'zod'
import { faultOfError } from '../platform/http/failures.ts'
import { originOf } from './options.ts'
import { quoted } from './program/reader.ts'

/** What its server has given us. */
interface Assigned {
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

const Refusal = z.object({ message: z.string().min(1) })

/** What a status other than 200 means. */
export function statusFailure(
  status: number,
  data: unknown,
  { host, name, byUser }: Pick<ClientData, 'host' | 'name' | 'byUser'>,
): TunnelFailure {
  if (status < 400 || status >= 500) {
    return new TunnelFailure(
      'server_answer',
      `${host} answered with status ${status} in place of a tunnel.`,
    )
  }
  const { data: refusal } = Refusal.safeParse(data)
  const why = refusal ? `: ${quotedServerText(refusal.message)}` : ''
  const asked = name === null ? '' : ` It was asked for the subdomain "${name}". ${nameRule}`
  // Of the name alone: whatever else it refuses may pass.
  const final = status === 403 && byUser && /subdomain/i.test(why)
  return new TunnelFailure(
    'server_refused',
    `${host} refused to open a tunnel (status ${status})${why}.${asked}`,
    { retry: !final },
  )
}

/** Why the server gave no tunnel, from the error of a request. The client would ask again each second, for ever and in silence. */
function requestFailure(
  error: AxiosError,
  wish: Pick<ClientData, 'host' | 'name' | 'byUser'>,
  proxied: boolean,
): TunnelFailure {
  if (error.response) return statusFailure(error.response.status, error.response.data, wish)
  if (error.code === 'ERR_FR_TOO_MANY_REDIRECTS') {
    return new TunnelFailure(
      'server_answer',
      `${wish.host} redirects again and again: is this a localtunnel server?`,
    )
  }
  if (error.message.startsWith('maxContentLength')) {
    return new TunnelFailure(
      'server_answer',
      `${wish.host} answered more than a tunnel can be: is this a localtunnel server?`,
    )
  }
  const fault = faultOfError(error, new URL(wish.host), false)
  const proxy = proxied ? ' The environment names a proxy, which has to be reachable as well.' : ''
  switch (fault.code) {
    case 'unresolved':
      return new TunnelFailure(
        'server_unresolved',
        `The tunnel's server cannot be found. ${fault.message} Is this computer connected?${proxy}`,
      )
    case 'malformed':
      return new TunnelFailure('server_answer', fault.message + proxy)
    default:
      return new TunnelFailure(
        'server_down',
        `The tunnel's server is down or cannot be reached. ${fault.message}${proxy}`,
      )
  }
}

/** Whether requests to the server go through a proxy that the environment names. */
export function isProxied(
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const url = new URL(host)
  if (isLoopback(url)) return false
  const names = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy']
  return names.some((name) => (env[name] ?? env[name.toUpperCase()] ?? '') !== '')
}

interface Wish {
  readonly all?: boolean | undefined
  readonly family?: number | undefined
}
type Done = (error: Error | null, address: unknown, family?: number) => void

/**
 * Looks names up for all sockets of this thread. `localhost` and all below it are this machine without any asking (RFC 6761), 127.0.0.1 first,
 * where the door is. Any other name is asked for once: so a server cannot move to an inner address between its answer and our connections, and
 * ten connections do not take ten turns in the pool of threads that the journal's syncs wait for as well.
 * Returns what finds them.
 */
function pinNames(): (host: string) => Promise<readonly LookupAddress[]> {
  const pinned = new Map<string, Promise<readonly LookupAddress[]>>()
  const addressesOf = (host: string): Promise<readonly LookupAddress[]> => {
    const before = pinned.get(host)
    if (before) return before
    const asked = found(host)
    pinned.set(host, asked)
    asked.catch(() => pinned.delete(host))
    return asked
  }
  const answer = async (host: string, { all, family }: Wish, done: Done): Promise<void> => {
    let addresses: readonly LookupAddress[]
    try {
      addresses = (await addressesOf(host)).filter((one) => !family || one.family === family)
      if (!addresses[0]) {
        throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' })
      }
    } catch (error) {
      process.nextTick(done, error, all ? [] : '')
      return
    }
    // Outside of the promise: what the one who asked throws is no failure of the lookup.
    const [first] = addresses
    if (all) process.nextTick(done, null, addresses)
    else process.nextTick(done, null, first?.address, first?.family)
  }
  Object.assign(dns, {
    lookup: (host: string, wish: Wish | number | Done, done?: Done) => {
      if (typeof wish === 'function') void answer(host, {}, wish)
      else if (done) void answer(host, typeof wish === 'number' ? { family: wish } : wish, done)
    },
  })
  return addressesOf
}

function found(host: string): Promise<readonly LookupAddress[]> {
  const known = knownAddresses(host.replace(/\.$/, ''))
  if (known) return Promise.resolve(withFamily(known))
  return new Promise((resolve, reject) => {
    lookUp(host, (error, addresses) => {
      if (error) reject(error)
      else resolve(withFamily(addresses).toSorted((a, b) => a.family - b.family))
    })
  })
}

const withFamily = (addresses: readonly string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))

const channel = 'net.client.socket'

/** Collects the sockets that this thread makes, from now until it is asked for them. */
function collectSockets(): () => Socket[] {
  const made: Socket[] = []
  const note = (message: unknown): void => {
    if (typeof message !== 'object' || !message || !('socket' in message)) return
    if (message.socket instanceof Socket) made.push(message.socket)
  }
  subscribe(channel, note)
  return () => {
    unsubscribe(channel, note)
    return made
  }
}

const limits = {
  /** Of the server's answer, in bytes. */
  answer: 256 * 1024,
  redirects: 5,
  /** Until the next address of a name is tried, in milliseconds. A busy thread takes the usual 250 for a failure of the first. */
  address: 5000,
  /** For answers on their way when it is closed, in milliseconds. */
  grace: 250,
  /** Between two counts of the connections, in milliseconds. */
  counts: 100,
}

/**
 * The client of localtunnel, unchanged, in a thread of its own: a client whose server does not answer asks again each second, for ever, and its
 * `close()` changes nothing about that. Only the end of its thread does. Here it is watched: what its server answered, and which of its
 * connections are open.
 */
function run(port: MessagePort, data: ClientData): void {
  // It parses addresses with `url.parse`, of which Node would speak on the terminal.
  process.noDeprecation = true
  const addressesOf = pinNames()
  setDefaultAutoSelectFamilyAttemptTimeout(limits.address)

  let assigned: Assigned | null = null
  let madeByClient: ReturnType<typeof collectSockets> | null = null
  let connections: Connections | null = null
  let over = false
  let opened = false
  let told = -1
  const tell = (event: ClientEvent): void => port.postMessage(event)
  const counted = throttle(steadyClock, limits.counts, () => {
    const open = connections?.count ?? 0
    if (over || !assigned || open === told) return
    told = open
    tell({ event: 'connections', open, most: assigned.most })
  })
  const fail = ({ code, message, retry }: TunnelFailure): void => {
    if (over) return
    over = true
    tell({ event: 'failed', fault: { code, message, retry } })
  }
  /** Of an answer that is never given the client makes nothing: it would ask again. */
  const withhold = (error: unknown): Promise<never> => {
    fail(error instanceof TunnelFailure ? error : new TunnelFailure('internal', String(error)))
    return new Promise(() => undefined)
  }

  Object.assign(axios.defaults, {
    maxContentLength: limits.answer,
    maxRedirects: limits.redirects,
    // A proxy of the network knows nothing of this machine.
    ...(isLoopback(new URL(data.host)) ? { proxy: false } : {}),
  })
  axios.interceptors.response.use(
    async (response) => {
      try {
        if (response.status !== 200) throw statusFailure(response.status, response.data, data)
        const found = addressesOf(hostOf(new URL(data.host)))
        assigned = assignedBy(response.data, data.host, await nearest(found))
      } catch (error) {
        return withhold(error)
      }
      madeByClient = collectSockets()
      const { most, ...rest } = assigned
      return { ...response, data: { ...rest, max_conn_count: most } }
    },
    (error) => withhold(requestFailure(error, data, isProxied(data.host, process.env))),
  )

  const follow = (to: Assigned, cluster: { open(): void }): void => {
    const open = cluster.open.bind(cluster)
    const followed = new Connections({
      most: to.most,
      place: `${to.ip ?? new URL(data.host).hostname}:${to.port}`,
      connect: () => {
        const made = collectSockets()
        open()
        return made()
      },
      opened: () => {
        opened = true
        tell({ event: 'opened', id: to.id, url: to.url })
      },
      counted: () => counted.wanted(),
      trouble: (reason) => tell({ event: 'trouble', reason }),
      none: (reason) => {
        if (!opened) {
          const sentence = `${data.host} opened a tunnel, but no connection can be made to it: ${reason}. A firewall may block it, or a network that only allows web traffic.`
          fail(new TunnelFailure('server_down', sentence))
          return
        }
        over = true
        const sentence = `The tunnel has ended: ${reason}. Its server was restarted, or has dropped it.`
        tell({ event: 'ended', reason: sentence })
      },
    })
    connections = followed
    for (const socket of madeByClient?.() ?? []) followed.add(socket)
    // The client's word that one is gone; it has none for most that are.
    cluster.open = () => followed.fill()
  }

  const client = localtunnel(
    { port: data.port, host: data.host, ...(data.name === null ? {} : { subdomain: data.name }) },
    (error) => {
      if (error) fail(new TunnelFailure('internal', `The tunnel's client failed: ${error.message}`))
      else if (assigned && client.tunnelCluster) follow(assigned, client.tunnelCluster)
    },
  )
  // Without a listener the first refused connection would end this thread. What it says is known from the sockets.
  client.on('error', () => undefined)

  port.on('message', async (order: ClientOrder) => {
    if (order !== 'close') return
    over = true
    await connections?.close(limits.grace)
    client.close()
    tell({ event: 'closed' })
  })
}

/** It was given up before it began: then nobody is asked for anything, and the thread ends by itself. */
function isClosed(port: MessagePort): boolean {
  return receiveMessageOnPort(port) !== undefined
}

/** Where the server is, by the nearest of its addresses. One that cannot be looked up here, but by a proxy, is outside. */
async function nearest(found: Promise<readonly LookupAddress[]>): Promise<AddressPlace> {
  const addresses = await found.catch(() => [])
  const places = addresses.map(({ address }) => placeOfAddress(address))
  return places.find((place) => place !== 'public') ?? 'public'
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `openClient` gave, in the same program
if (parentPort && !isClosed(parentPort)) run(parentPort, workerData as ClientData)

/** What a server said, as it can stand in the middle of a sentence. */
export function quotedServerText(text: string): string {
  return quoted(text).replace(/(?<!\.)\.+$/, '')
}
