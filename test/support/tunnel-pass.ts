import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline, type Duplex } from 'node:stream'
import type { TunnelConnections } from './tunnel-connections.ts'
import { page } from './tunnel-opening.ts'

/** Larger bodies than `bytes`: refused with 413 before they are read, cut off there, or their connection is reset. */
export interface BodyLimit {
  readonly bytes: number
  readonly how: '413' | 'cut' | 'reset'
}

/**
 * Writes a public request on a connection of the client, and pipes what comes back. Header names are lower-cased and repeated ones joined, as by
 * any server of `node:http`, and `X-Forwarded-*` are added, as by the proxy before the real one. `alive`: does it now, or when the server thaws.
 */
export function passOn(
  client: TunnelConnections,
  req: IncomingMessage,
  res: ServerResponse,
  limit: BodyLimit | null,
  alive: (act: () => void) => void,
): void {
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

/** An upgrade gets a connection for itself; its head goes on as it came, names and all. */
export function passUpgrade(
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
