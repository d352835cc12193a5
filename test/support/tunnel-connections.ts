import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type ClientRequestArgs } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

type Take = (error: Error | null, socket: Duplex) => void

export interface ConnectionsOptions {
  readonly id: string
  /** Maximum number of connections of the client. */
  readonly most: number
  /** How long the name stays reserved without a connection, in milliseconds. */
  readonly graceMs: number
  /** How many requests can wait for a free connection, and how long, in milliseconds. */
  readonly queue: { readonly most: number; readonly ms: number }
  /** Called when the grace period has ended. */
  readonly gone: () => void
}

/**
 * One client of the test server: its own TCP port, the open connections of the client, and the waiting requests.
 * Like in the real server, it is an agent of `node:http`, which keeps a single idle connection for the next request and closes the others. The
 * client then opens new ones.
 */
export class TunnelConnections extends Agent {
  readonly id: string
  readonly held = new Set<Socket>()
  private readonly idle: Socket[] = []
  private readonly waiting: { take: Take; limit: NodeJS.Timeout }[] = []
  private readonly server: Server
  private grace: NodeJS.Timeout | null = null
  private closed = false
  private readonly wanted: ConnectionsOptions

  constructor(wanted: ConnectionsOptions) {
    super({ keepAlive: true, maxFreeSockets: 1 })
    this.id = wanted.id
    this.wanted = wanted
    this.server = createServer((socket) => this.onConnection(socket))
  }

  /** Starts to listen. Returns the port. A name without a connection is released after the grace period. */
  async listen(): Promise<number> {
    this.server.listen(0)
    await once(this.server, 'listening')
    this.awaitClient()
    const address = this.server.address()
    if (typeof address !== 'object' || !address) throw new Error('no port')
    return address.port
  }

  /** Number of open connections of the client. */
  get open(): number {
    return this.held.size
  }

  override createConnection(_options: ClientRequestArgs, take?: Take): undefined {
    if (!take) return
    // An agent's callback takes no socket with an error, but its type requires one.
    const refuse = (error: Error): void => void Reflect.apply(take, null, [error])
    const socket = this.idle.shift()
    if (this.closed) refuse(new Error('closed'))
    else if (socket) take(null, socket)
    else if (this.waiting.length >= this.wanted.queue.most) refuse(new Error('queue full'))
    else {
      const limit = setTimeout(() => {
        const place = this.waiting.findIndex((one) => one.limit === limit)
        if (place >= 0) this.waiting.splice(place, 1)
        refuse(new Error('queue time'))
      }, this.wanted.queue.ms)
      this.waiting.push({ take, limit })
    }
    return undefined
  }

  /** Resets up to `most` connections. Returns their number. */
  drop(most = Infinity): number {
    const doomed = [...this.held].slice(0, most)
    for (const socket of doomed) void reset(socket)
    return doomed.length
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    if (this.grace) clearTimeout(this.grace)
    for (const { take, limit } of this.waiting.splice(0)) {
      clearTimeout(limit)
      Reflect.apply(take, null, [new Error('closed')])
    }
    this.drop()
    this.destroy()
    if (!this.server.listening) return
    this.server.close()
    await once(this.server, 'close')
  }

  private onConnection(socket: Socket): void {
    // Ignore errors after a reset: the agent reports the failed request.
    socket.on('error', () => socket.destroy())
    if (this.closed || this.held.size >= this.wanted.most) {
      socket.destroy()
      return
    }
    this.held.add(socket)
    if (this.grace) clearTimeout(this.grace)
    const gone = (): void => {
      if (!this.held.delete(socket)) return
      const place = this.idle.indexOf(socket)
      if (place >= 0) this.idle.splice(place, 1)
      if (this.held.size === 0) this.awaitClient()
    }
    socket.once('close', gone)
    socket.once('error', gone)
    const next = this.waiting.shift()
    if (!next) {
      this.idle.push(socket)
      return
    }
    clearTimeout(next.limit)
    next.take(null, socket)
  }

  private awaitClient(): void {
    if (this.closed) return
    if (this.grace) clearTimeout(this.grace)
    this.grace = setTimeout(this.wanted.gone, this.wanted.graceMs)
  }
}

export async function reset(socket: Socket): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.once('error', () => resolve())
  })
  // While the end of a connection is being sent, Node.js cannot reset it, and would never close its handle.
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
  await gone
}

export const randomName = (): string => `given-${randomBytes(5).toString('hex')}`
