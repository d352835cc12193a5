import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { setDefaultAutoSelectFamilyAttemptTimeout, Socket, isIPv6, isIP } from 'node:net'
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import axios from 'axios/dist/node/axios.cjs'
import localtunnel from 'localtunnel'
import { steadyClock } from '../../platform/clock.ts'
import {
  hostOf,
  knownAddresses,
  lookUp,
  locationOfAddress,
  type AddressLocation,
} from '../../platform/http/addresses.ts'
import { throttle, type Throttle } from '#shared/async/throttle.ts'
import { Connections } from './localtunnel/connections.ts'
import {
  type ClientData,
  type ClientEvent,
  type ClientCommand,
  nameRule,
} from './localtunnel/names.ts'
import { TunnelFailure } from './provider.ts'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AxiosError } from 'axios'
import * as z from 'zod'
import { Dial } from '../../platform/http/dial.ts'
import { ConnectFailure, faultOfError } from '../../platform/http/failures.ts'
import { Network } from '../../platform/http/network.ts'
import { Phases } from '../../platform/http/phases.ts'
import { originOf } from './options.ts'
import { quoted } from './program/reader.ts'

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

/**
 * Parses a 200 response of the server: the client would accept anything and connect to port `undefined`. `serverLocation`: the nearest of the
 * server's own addresses. Throws `TunnelFailure`.
 */
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
  { host, name, byUser }: Pick<ClientData, 'host' | 'name' | 'byUser'>,
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

/** The client itself would silently retry every second, forever. */
function requestFailure(
  error: AxiosError,
  request: Pick<ClientData, 'host' | 'name' | 'byUser'>,
): TunnelFailure {
  if (error.response) return statusFailure(error.response.status, error.response.data, request)
  if (error.code === 'ERR_FR_TOO_MANY_REDIRECTS') {
    return new TunnelFailure(
      'server_answer',
      `${request.host} redirects too many times. Check that it is a localtunnel server.`,
    )
  }
  if (error.message.startsWith('maxContentLength')) {
    return new TunnelFailure(
      'server_answer',
      `The response of ${request.host} is too large. Check that it is a localtunnel server.`,
    )
  }
  const fault =
    error.cause instanceof ConnectFailure
      ? error.cause.fault
      : faultOfError(error, new URL(request.host), false)
  switch (fault.code) {
    case 'unresolved':
      return new TunnelFailure(
        'server_unresolved',
        `The tunnel's server cannot be found. ${fault.message} Check your internet connection.`,
      )
    case 'malformed':
      return new TunnelFailure('server_answer', fault.message)
    default:
      return new TunnelFailure(
        'server_down',
        `The tunnel's server is down or cannot be reached. ${fault.message}`,
      )
  }
}

/** Gives the client's requests connections like those of `sendRequest`. Through a proxy they always use CONNECT. */
function agentOf(protocol: 'http:' | 'https:', network: Network): HttpAgent {
  const agent = protocol === 'https:' ? new HttpsAgent() : new HttpAgent()
  agent.createConnection = ({ host, port }, opened) => {
    const name = isIPv6(host ?? '') ? `[${host}]` : host
    const url = new URL(`${protocol}//${name}:${port}`)
    const failed = (error: unknown): void =>
      opened?.(error instanceof Error ? error : new Error(String(error)), new Socket())
    Promise.resolve(network.proxyFor(url)).then(
      (proxy) =>
        new Dial(url, { proxy, tunnel: true, network, verifyTls: true }, new Phases(), {
          ready: (socket) => opened?.(null, socket),
          failed: (fault, cause) => failed(new ConnectFailure(fault, cause)),
        }),
      failed,
    )
    return undefined
  }
  return agent
}

/** `localhost` and names below it are this machine (RFC 6761). IPv4 first, as servers listen. Empty: only a proxy can look it up. */
function resolveHost(host: string): Promise<readonly string[]> {
  const known = knownAddresses(host.replace(/\.$/, ''))
  if (known) return Promise.resolve(known)
  return new Promise((resolve) => {
    lookUp(host, (error, addresses) =>
      resolve(error ? [] : addresses.toSorted((a, b) => isIP(a) - isIP(b))),
    )
  })
}

const channel = 'net.client.socket'

/** Collects the sockets that this thread creates, until the returned function is called. */
function collectSockets(): () => Socket[] {
  const sockets: Socket[] = []
  const note = (message: unknown): void => {
    if (typeof message !== 'object' || !message || !('socket' in message)) return
    if (message.socket instanceof Socket) sockets.push(message.socket)
  }
  subscribe(channel, note)
  return () => {
    unsubscribe(channel, note)
    return sockets
  }
}

const limits = {
  response: 256 * 1024,
  redirects: 5,
  /** Until the next address of a name is tried. On a busy thread, the default of 250 is too short. */
  address: 5000,
  /** For pending responses when the tunnel is closed. */
  grace: 250,
  counts: 100,
}

/**
 * Runs the unchanged localtunnel client in its own thread, because a client whose server does not respond retries every second, forever, and only the end
 * of its thread stops that. Observes what the server responds, and which of the client's connections are open.
 */
class ClientThread {
  readonly #port: MessagePort
  readonly #data: ClientData
  readonly #network: Network
  readonly #counted: Throttle
  #assigned: Assigned | null = null
  #madeByClient: (() => Socket[]) | null = null
  #connections: Connections | null = null
  #over = false
  #opened = false
  #reported = -1

  constructor(port: MessagePort, data: ClientData) {
    this.#port = port
    this.#data = data
    this.#network = data.network ? Network.join(data.network) : new Network()
    this.#counted = throttle(steadyClock, limits.counts, () => this.#reportCount())
  }

  run(): void {
    process.noDeprecation = true
    setDefaultAutoSelectFamilyAttemptTimeout(limits.address)
    this.#observeRequests()
    const { port, host, name } = this.#data
    const client = localtunnel(
      { port, host, ...(name === null ? {} : { subdomain: name }) },
      (error) => {
        if (error)
          this.#fail(
            new TunnelFailure('internal', 'The localtunnel client failed. Open the tunnel again.'),
          )
        else if (this.#assigned && client.tunnelCluster)
          this.#manageConnections(this.#assigned, client.tunnelCluster)
      },
    )
    // Without a listener, the first refused connection would end this thread. The errors are known from the sockets.
    client.on('error', () => undefined)
    this.#port.on('message', async (command: ClientCommand) => {
      if (command !== 'close') return
      this.#over = true
      await this.#connections?.close(limits.grace)
      client.close()
      this.#send({ event: 'closed' })
    })
  }

  /** Checks what the server responds to the client's request, before the client sees it. */
  #observeRequests(): void {
    const data = this.#data
    Object.assign(axios.defaults, {
      maxContentLength: limits.response,
      maxRedirects: limits.redirects,
      proxy: false,
      httpAgent: agentOf('http:', this.#network),
      httpsAgent: agentOf('https:', this.#network),
    })
    axios.interceptors.response.use(
      async (response) => {
        let assigned: Assigned
        let addresses: readonly string[]
        try {
          if (response.status !== 200) throw statusFailure(response.status, response.data, data)
          addresses = await resolveHost(hostOf(new URL(data.host)))
          assigned = assignedBy(response.data, data.host, nearest(addresses))
        } catch (error) {
          return this.#withhold(error)
        }
        this.#assigned = assigned
        this.#madeByClient = collectSockets()
        const { id, url, port, most } = assigned
        // So that the name cannot move to an internal address between this response and the client's connections.
        const ip = assigned.ip ?? addresses[0]
        return { ...response, data: { id, url, port, ip, max_conn_count: most } }
      },
      (error) => this.#withhold(requestFailure(error, data)),
    )
  }

  /** Never settles the client's request, because the client would retry it. */
  #withhold(error: unknown): Promise<never> {
    this.#fail(
      error instanceof TunnelFailure ? error : new TunnelFailure('internal', String(error)),
    )
    return new Promise(() => undefined)
  }

  #manageConnections(assigned: Assigned, cluster: { open(): void }): void {
    const open = cluster.open.bind(cluster)
    const connections = new Connections({
      most: assigned.most,
      server: `${assigned.ip ?? new URL(this.#data.host).hostname}:${assigned.port}`,
      connect: () => {
        const created = collectSockets()
        open()
        return created()
      },
      opened: () => {
        this.#opened = true
        this.#send({ event: 'opened', id: assigned.id, url: assigned.url })
      },
      counted: () => this.#counted.wanted(),
      none: (reason) => this.#lost(reason),
    })
    this.#connections = connections
    for (const socket of this.#madeByClient?.() ?? []) connections.add(socket)
    // The client calls this when it notices a closed connection, which it does for few of them.
    cluster.open = () => connections.fill()
  }

  /** No connection is left, or none could be opened. */
  #lost(reason: string): void {
    if (!this.#opened) {
      void this.#failConnecting(reason)
      return
    }
    this.#over = true
    const sentence = `The tunnel closed: ${reason}. Its server was restarted or dropped the tunnel.`
    this.#send({ event: 'ended', reason: sentence })
  }

  async #failConnecting(reason: string): Promise<void> {
    const hint = (await this.#network.mayUseProxy(new URL(this.#data.host)))
      ? 'The connections of localtunnel do not go through the proxy. Use cloudflared or ngrok, or ask for a direct connection to this port.'
      : 'A firewall or a network that only allows web traffic may block the connection.'
    const sentence = `${this.#data.host} assigned a tunnel, but Tabscope cannot connect to it: ${reason}. ${hint}`
    this.#fail(new TunnelFailure('server_down', sentence))
  }

  #reportCount(): void {
    const open = this.#connections?.count ?? 0
    if (this.#over || !this.#assigned || open === this.#reported) return
    this.#reported = open
    this.#send({ event: 'connections', open, most: this.#assigned.most })
  }

  #fail({ code, message, retry }: TunnelFailure): void {
    if (this.#over) return
    this.#over = true
    this.#send({ event: 'failed', fault: { code, message, retry } })
  }

  #send(event: ClientEvent): void {
    this.#port.postMessage(event)
  }
}

/** The tunnel was closed before the thread started. Then nothing is requested, and the thread ends by itself. */
function isClosed(port: MessagePort): boolean {
  return receiveMessageOnPort(port) !== undefined
}

/** The nearest network location of the server's addresses. A name that only a proxy can look up counts as public. */
function nearest(addresses: readonly string[]): AddressLocation {
  return addresses.map(locationOfAddress).find((location) => location !== 'public') ?? 'public'
}

if (parentPort && !isClosed(parentPort)) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `openClient` gave, in the same program
  const data = workerData as ClientData
  new ClientThread(parentPort, data).run()
}

/** Safe in the middle of a sentence. */
export function quotedServerText(text: string): string {
  return quoted(text).replace(/(?<!\.)\.+$/, '')
}
