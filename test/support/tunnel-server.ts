import { once } from 'node:events'
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { randomName, TunnelConnections } from './tunnel-connections.ts'

/**
 * What it answers when it is asked for a tunnel. `closed-port`: a port on which nothing listens; `nothing`: it takes the request and is silent;
 * `json`: an object that is no tunnel.
 */
export type OpeningAnswer = 'tunnel' | 'html' | '403' | '500' | 'json' | 'closed-port' | 'nothing'

/** Larger bodies than `bytes`: refused with 413 before they are read, cut off there, or their connection is reset. */
export interface BodyLimit {
  readonly bytes: number
  readonly how: '413' | 'cut' | 'reset'
}

export interface TunnelServerOptions {
  /** Absent: one that the system chooses. */
  readonly port?: number
  /** `max_conn_count`. */
  readonly maxConnections?: number
  /** Whether a browser gets a page of its own in between. */
  readonly interstitial?: boolean
  /** How long a name without a connection stays taken. */
  readonly graceMs?: number
  /** How many requests wait for a free connection, and how long. */
  readonly queue?: { readonly most: number; readonly ms: number }
  /** False: it does not listen yet; see `restart`. */
  readonly up?: boolean
}

export interface TunnelServer extends AsyncDisposable {
  /** `http://localhost:<port>` */
  readonly host: string
  readonly port: number
  /** The tunnels that there are, oldest first. */
  readonly clients: readonly { readonly id: string; readonly connections: number }[]
  /** All sockets that are open at it now, of clients and of the public. */
  readonly sockets: number
  /** What was asked of it for a tunnel since it is there, as the target of each request ("/?new", "/pier9"). */
  readonly asked: readonly string[]
  /** Ends as a killed process does: all is reset, every name is forgotten. */
  kill(): Promise<void>
  /** Kills it if it is up, and starts it on the same port. */
  restart(): Promise<void>
  /** Resets connections of clients, up to `most`; returns how many. */
  dropConnections(most?: number): number
  /** Goes on accepting, and says nothing more to anybody. */
  freeze(): void
  thaw(): void
  answerWith(answer: OpeningAnswer): void
  limitBody(limit: BodyLimit | null): void
}

const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`

/**
 * Stands in for the server of localtunnel: `GET /?new` and `GET /<id>` open tunnels, and what asks for a host `<id>.…` is written on a connection
 * of that client. Like the server it stands for, behind its proxy: header names lower-cased, repeated ones joined, `X-Forwarded-*` added.
 */
export async function tunnelServer(options: TunnelServerOptions = {}): Promise<TunnelServer> {
  const {
    maxConnections = 10,
    interstitial = false,
    graceMs = 1000,
    queue = { most: 500, ms: 15_000 },
  } = options
  const clients = new Map<string, TunnelConnections>()
  const publicSockets = new Set<Socket>()
  const asked: string[] = []
  const parked: (() => void)[] = []
  let answer: OpeningAnswer = 'tunnel'
  let limit: BodyLimit | null = null
  let frozen = false

  /** Does it now, or when it thaws. */
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
    // At once, so that nobody else is given the name meanwhile.
    clients.set(id, connections)
    const port = await connections.listen()
    return { id, port, max_conn_count: maxConnections, url: `http://${id}.${host}` }
  }

  async function forget(id: string): Promise<void> {
    const connections = clients.get(id)
    clients.delete(id)
    await connections?.close()
  }

  async function answerOpening(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = req.url ?? '/'
    asked.push(target)
    const json = (status: number, value: object): void =>
      void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    const html = (status: number, title: string): void =>
      void res.writeHead(status, { 'Content-Type': 'text/html' }).end(page(title))
    switch (answer) {
      case 'nothing':
        return
      case 'html':
        html(200, 'Welcome')
        return
      case '403':
        json(403, { message: 'This address may not open tunnels.' })
        return
      case '500':
        html(500, 'Internal Server Error')
        return
      case 'json':
        json(200, { hello: 'there' })
        return
      case 'closed-port':
      case 'tunnel':
    }
    const host = req.headers.host ?? 'localhost'
    const isNew = target === '/?new'
    const id = isNew ? randomName() : target.slice(1)
    if (!isNew && !/^[a-z0-9][a-z0-9-]{2,61}[a-z0-9]$/.test(id)) {
      json(403, {
        message:
          'Invalid subdomain. Subdomains must be lowercase and between 4 and 63 alphanumeric characters.',
      })
      return
    }
    const tunnel = await open(id, host)
    // Port 1 is privileged: nothing of a test can listen there.
    json(200, answer === 'closed-port' ? { ...tunnel, port: 1 } : tunnel)
  }

  const listener: RequestListener = (req, res) => {
    // What becomes of a connection that ends early is for the one who asked to see.
    res.on('error', () => undefined)
    alive(() => {
      const id = subdomainOf(req.headers.host ?? '')
      if (id === null) void answerOpening(req, res)
      else if (interstitial && isBrowser(req)) {
        res.writeHead(511, { 'Content-Type': 'text/html' }).end(page('Tunnel website ahead!'))
      } else passOn(id, req, res)
    })
  }

  function passOn(id: string, req: IncomingMessage, res: ServerResponse): void {
    const client = clients.get(id)
    if (!client) {
      res.writeHead(404).end('404')
      return
    }
    if (limit?.how === '413' && Number(req.headers['content-length']) > limit.bytes) {
      res.writeHead(413, { 'Content-Type': 'text/html', Connection: 'close' })
      res.end(page('413 Request Entity Too Large'))
      return
    }
    const before = req.headers['x-forwarded-for']
    const peer = req.socket.remoteAddress ?? ''
    const forwarded = {
      'x-forwarded-for': before === undefined ? peer : `${before.toString()}, ${peer}`,
      'x-forwarded-proto': 'http',
      'x-forwarded-host': req.headers.host,
    }
    const out = request({
      agent: client,
      method: req.method ?? 'GET',
      path: req.url ?? '/',
      headers: { ...req.headers, ...forwarded },
    })
    out.on('response', (came) => {
      alive(() => {
        if (res.destroyed) {
          came.destroy()
          return
        }
        res.writeHead(came.statusCode ?? 502, came.headers)
        pipeline(came, res, () => undefined)
      })
    })
    out.on('error', ({ message }) => {
      if (res.headersSent) res.destroy()
      else {
        res.writeHead(message === 'queue time' ? 504 : 502, { 'Content-Type': 'text/html' })
        res.end(page(message === 'queue time' ? '504 Gateway Time-out' : '502 Bad Gateway'))
      }
    })
    let taken = 0
    const { how, bytes = Infinity } = limit ?? {}
    req.on('data', (chunk: Buffer) => {
      taken += chunk.byteLength
      if (taken <= bytes) return
      if (how === 'reset') req.socket.resetAndDestroy()
      out.destroy()
    })
    pipeline(req, out, () => undefined)
  }

  const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, listener)
  server.on('connection', (socket) => {
    publicSockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => publicSockets.delete(socket))
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
      const closed = once(socket, 'close')
      socket.resetAndDestroy()
      await closed
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
    limitBody: (next) => {
      limit = next
    },
    [Symbol.asyncDispose]: kill,
  }
}

/** The name before the server's own; null: it is the server itself that is asked. */
function subdomainOf(host: string): string | null {
  const [name = ''] = host.split(':')
  const labels = name.split('.')
  return labels.at(-1) === 'localhost' && labels.length > 1 ? (labels[0] ?? null) : null
}

/** The public server goes by the name that a browser gives itself, and leaves those alone that ask for it by a header. */
function isBrowser({ headers }: IncomingMessage): boolean {
  return (
    headers['bypass-tunnel-reminder'] === undefined &&
    /^Mozilla\/5\.0 .*(Chrome|Firefox|Safari|Edg)\//.test(headers['user-agent'] ?? '')
  )
}
