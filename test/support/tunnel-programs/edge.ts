import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** A public URL on loopback that forwards requests to a local port, like the remote side of a tunnel. */
export interface Edge {
  /** `http://<random>.localhost:<port>`. */
  readonly url: string
  close(): Promise<void>
}

/** `onFault` is called for requests that could not be forwarded. */
export async function startEdge(
  port: number,
  onFault: (fault: string) => void = () => {},
): Promise<Edge> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((incoming, answer) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path: incoming.url,
      headers: [
        ...incoming.rawHeaders,
        'X-Forwarded-For',
        '192.0.2.1',
        'X-Forwarded-Proto',
        'https',
      ],
      agent: false,
    })
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(answer)
    })
    outgoing.on('error', (error) => {
      onFault(error.message)
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end()
    })
    incoming.pipe(outgoing)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://${randomBytes(6).toString('hex')}.localhost:${address.port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
