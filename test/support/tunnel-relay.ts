import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline, type Duplex } from 'node:stream'
import type { TunnelConnections } from './tunnel-connections.ts'
import { page } from './tunnel-opening.ts'

/**
 * Sends a public request to a connection of the client, and pipes the response back. Header names are converted to lower case and repeated headers joined, like in
 * any `node:http` server, and `X-Forwarded-*` are added, like by the proxy of the real server. `alive`: runs the action now, or when the server is no longer frozen.
 */
export function relayRequest(
  client: TunnelConnections,
  req: IncomingMessage,
  res: ServerResponse,
  alive: (act: () => void) => void,
): void {
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
  out.on('response', (received) => {
    alive(() => {
      if (res.destroyed) {
        received.destroy()
        return
      }
      res.writeHead(received.statusCode ?? 502, received.headers)
      pipeline(received, res, () => undefined)
    })
  })
  out.on('error', ({ message }) => {
    if (res.headersSent) res.destroy()
    else {
      res.writeHead(message === 'queue time' ? 504 : 502, { 'Content-Type': 'text/html' })
      res.end(page(message === 'queue time' ? '504 Gateway Time-out' : '502 Bad Gateway'))
    }
  })
  pipeline(req, out, () => undefined)
}

/** Gives an upgrade its own connection, and forwards its head unchanged. */
export function relayUpgrade(
  client: TunnelConnections,
  req: IncomingMessage,
  socket: Duplex,
  rest: Buffer,
): void {
  client.createConnection({}, (error, conn) => {
    if (error) {
      socket.destroy()
      return
    }
    const lines = req.rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${req.rawHeaders[at + 1] ?? ''}`] : [],
    )
    const head = [`${req.method} ${req.url} HTTP/1.1`, ...lines, '', '']
    conn.write(Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), rest]))
    pipeline(conn, socket, () => conn.destroy())
    pipeline(socket, conn, () => undefined)
  })
}
