import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { randomName, reset, TunnelConnections } from './tunnel-connections.ts'
import { answerOpening, page, type OpeningAnswer } from './tunnel-opening.ts'
import { relayRequest, relayUpgrade } from './tunnel-relay.ts'

export interface TunnelServerOptions {
  /** Absent: a free port. */
  readonly port?: number
  /** `max_conn_count`. */
  readonly maxConnections?: number
  /** How long a name without a connection stays reserved. */
  readonly graceMs?: number
  /** How many requests can wait for a free connection, and how long. */
  readonly queue?: { readonly most: number; readonly ms: number }
  /** False: does not listen yet; see `restart`. */
  readonly up?: boolean
}

export interface TunnelServer extends AsyncDisposable {
  /** `http://localhost:<port>` */
  readonly host: string
  readonly port: number
  /** The current tunnels, oldest first. */
  readonly clients: readonly { readonly id: string; readonly connections: number }[]
  /** Number of open sockets, of clients and of public requests. */
  readonly sockets: number
  /** Targets of all requests for a tunnel since the start ("/?new", "/pier9"). */
  readonly asked: readonly string[]
  /** Ends like a killed process: resets all connections, and forgets all names. */
  kill(): Promise<void>
  /** Kills the server if it is running, and starts it on the same port. */
  restart(): Promise<void>
  /** Resets up to `most` connections of clients. Returns their number. */
  dropConnections(most?: number): number
  /** Accepts connections, but no longer sends anything. */
  freeze(): void
  thaw(): void
  answerWith(answer: OpeningAnswer): void
  /** Responds to public requests with 200, as if the name belonged to another client. */
  hijack(on: boolean): void
}

/**
 * A replacement for the localtunnel server: `GET /?new` and `GET /<id>` open tunnels, and requests for a host `<id>.…` are sent to a connection
 * of that client. Like the real server behind its proxy, it converts header names to lower case, joins repeated headers, and adds `X-Forwarded-*`.
 */
export async function tunnelServer(options: TunnelServerOptions = {}): Promise<TunnelServer> {
  const { maxConnections = 10, graceMs = 1000, queue = { most: 500, ms: 15_000 } } = options
  const clients = new Map<string, TunnelConnections>()
  const publicSockets = new Set<Socket>()
  const asked: string[] = []
  const parked: (() => void)[] = []
  let answer: OpeningAnswer = 'tunnel'
  let frozen = false
  let hijacked = false

  /** Runs the action now, or when the server is no longer frozen. */
  const alive = (act: () => void): void => void (frozen ? parked.push(act) : act())

  async function open(wanted: string, host: string): Promise<object> {
    const id = clients.has(wanted) ? randomName() : wanted
    const connections = new TunnelConnections({
      id,
      most: maxConnections,
      graceMs,
      queue,
      gone: () => void forget(id),
    })
    // Reserve the name immediately, so that no other client gets it.
    clients.set(id, connections)
    const port = await connections.listen()
    return { id, port, max_conn_count: maxConnections, url: `http://${id}.${host}` }
  }

  async function forget(id: string): Promise<void> {
    const connections = clients.get(id)
    clients.delete(id)
    await connections?.close()
  }

  const listener: RequestListener = (req, res) => {
    // Connections that end early are the client's responsibility.
    res.on('error', () => undefined)
    alive(() => {
      const id = subdomainOf(req.headers.host ?? '')
      const target = req.url ?? '/'
      const client = clients.get(id ?? '')
      if (id === null) {
        asked.push(target)
        const host = req.headers.host ?? 'localhost'
        void answerOpening(target, res, answer, (wanted) => open(wanted, host))
      } else if (hijacked) res.writeHead(200, { 'Content-Type': 'text/html' }).end(page('Welcome'))
      else if (client) relayRequest(client, req, res, alive)
      else res.writeHead(404).end('404')
    })
  }

  const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, listener)
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, rest: Buffer) => {
    const client = clients.get(subdomainOf(req.headers.host ?? '') ?? '')
    if (client) relayUpgrade(client, req, socket, rest)
    else socket.destroy()
  })
  server.on('connection', (socket) => {
    publicSockets.add(socket)
    const gone = (): void => void publicSockets.delete(socket)
    socket.on('error', gone)
    socket.on('close', gone)
  })
  let port = options.port ?? 0
  const start = async (): Promise<void> => {
    server.listen(port)
    await once(server, 'listening')
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new Error('no port')
    port = address.port
  }
  const kill = async (): Promise<void> => {
    parked.length = 0
    frozen = false
    const stopped = server.listening ? once(server, 'close') : null
    if (stopped) server.close()
    const ended = [...publicSockets].map(async (socket) => {
      await reset(socket)
    })
    await Promise.all([...ended, ...[...clients.keys()].map(forget)])
    await stopped
  }
  await start()
  if (options.up === false) await kill()
  return {
    get host() {
      return `http://localhost:${port}`
    },
    get port() {
      return port
    },
    get clients() {
      return [...clients.values()].map(({ id, open: connections }) => ({ id, connections }))
    },
    get sockets() {
      return [...clients.values()].reduce((sum, one) => sum + one.open, publicSockets.size)
    },
    asked,
    kill,
    restart: async () => {
      await kill()
      await start()
    },
    dropConnections: (most = Infinity) => {
      let dropped = 0
      for (const client of clients.values()) dropped += client.drop(most - dropped)
      return dropped
    },
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
      for (const act of parked.splice(0)) act()
    },
    answerWith: (next) => {
      answer = next
    },
    hijack: (on) => {
      hijacked = on
    },
    [Symbol.asyncDispose]: kill,
  }
}

/** Returns the tunnel name in the host; null: the request is for the server itself. */
function subdomainOf(host: string): string | null {
  const [name = ''] = host.split(':')
  const labels = name.split('.')
  return labels.at(-1) === 'localhost' && labels.length > 1 ? (labels[0] ?? null) : null
}
