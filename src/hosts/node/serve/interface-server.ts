/*
 * The interface over HTTP and one WebSocket, for a browser on this machine.
 *
 * Threat model. Only clients with the address and its token may use the engine. All others are refused:
 *  - another machine: the server is bound to 127.0.0.1.
 *  - a page of another origin in the user's browser (fetch, WebSocket, form, iframe): the WebSocket needs an exact `Origin`, and
 *    plain HTTP only serves files of the package, exports to clients with their ticket, and the token to clients with the launch
 *    ticket.
 *  - DNS rebinding (a foreign name that resolves to 127.0.0.1): every request needs an exact `Host`.
 *  - another user of this machine, or their browser: the WebSocket needs the launch token, 256 random bits, new with each start,
 *    compared in constant time. It is sent in the fragment of the address, which no request includes, and in the WebSocket's
 *    subprotocol, which is not logged. It is printed, but never on a command line, which every user of this machine can read: the program
 *    that opens the browser gets a ticket (`createLaunchTickets`), which the page exchanges for the token by a POST with an exact `Origin`.
 *    A ticket works once, within two minutes. On Linux it is refused to other users (`port-owner.ts`); elsewhere a user who reads it there
 *    and is faster than the browser gets access, and the page reports that its link was already used. `--no-open` creates no ticket.
 *  - a process that uses this port before or after Tabscope: a page sends its token only to a server that proves to have it, by an HMAC of
 *    this address and the page's nonce (`POST /session/proof`), and a token is valid only as long as its process. Tabs of one browser share the token over a
 *    `BroadcastChannel`, which pages of exactly this origin alone can reach.
 *  - framing and script injection: `frame-ancestors 'none'`, and a policy without inline scripts or styles.
 *  - an export, which is served over plain HTTP so that the browser can save it (`export-download.ts`): its address has a ticket of
 *    256 random bits that only the WebSocket issues, for one export and one download. Its content is untrusted: it is saved, never
 *    rendered (attachment, nosniff, sandboxed), so that nothing in it runs under this origin.
 * Out of scope: attackers who can read this process's memory, its terminal, or the user's browser profile.
 */
import { createHmac, randomBytes, timingSafeEqual, createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decode, Encoder } from '@msgpack/msgpack'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Engine } from '#engine/app/engine.ts'
import { readAsset, securityHeaders } from '../../static-files.ts'
import { createDownloads, exportOf, refuse } from './export-download.ts'
import { isAnotherUser } from '#engine/receiving/listener/listening/port-owner.ts'

/** In milliseconds: long enough to start a browser. */
const validFor = 2 * 60_000

type LaunchTickets = ReturnType<typeof createLaunchTickets>

/** Exchanged for the launch token. Every user of this machine can read a command line, so each ticket works once and only for a short time. */
export function createLaunchTickets(now: () => number = () => performance.now()) {
  let current: { digest: Buffer; until: number } | null = null
  return {
    /** 256 random bits; invalidates the previous one. */
    issue: () => {
      const ticket = randomBytes(32).toString('base64url')
      current = { digest: digest(ticket), until: now() + validFor }
      return ticket
    },
    /** Once, for the last issued ticket, while it is valid. */
    redeem: (given: string) => {
      if (!current || now() >= current.until) return false
      // A wrong guess does not invalidate the ticket: any user of this machine could send one.
      if (!timingSafeEqual(current.digest, digest(given))) return false
      current = null
      return true
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/** Calls are small: bodies are sent by the engine, in slices. */
const frameLimit = 8 * 1024 * 1024
/** A browser with a larger backlog is disconnected; it reconnects and starts over. */
const backlogLimit = 64 * 1024 * 1024

export type InterfaceServer = Awaited<ReturnType<typeof openInterfaceServer>>

/** Port 0 lets the system choose. */
export async function openInterfaceServer(engine: Engine, folder: string, port: number) {
  const token = randomBytes(32).toString('base64url')
  const server = createServer()
  const boundPort = await listen(server, port)
  const host = `127.0.0.1:${boundPort}`
  const downloads = createDownloads(engine)
  const tickets = createLaunchTickets()
  const sessionRoutes = new Map<string, SessionRoute>([
    ['/session', (request, response) => exchangeTicket(request, response, tickets, token)],
    [
      '/session/proof',
      (_, response, query) => proveServer(response, query.get('nonce'), host, token),
    ],
  ])
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: frameLimit,
    perMessageDeflate: false,
    handleProtocols: () => 'tabscope',
  })
  server.on('request', (request, response) => {
    if (request.headers.host !== host)
      return refuse(
        response,
        421,
        'The Host header is wrong. Use the address that Tabscope printed.',
      )
    const [path = '', query] = (request.url ?? '/').split('?', 2)
    const session = sessionRoutes.get(path)
    if (session) {
      request.resume()
      if (isFromPage(request, response, host)) {
        void session(request, response, new URLSearchParams(query))
      }
      return
    }
    const wanted = exportOf(request.url ?? '/')
    if (wanted) void downloads.serve(request, response, wanted)
    else void serveFile(request, response, folder)
  })
  server.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, host, token)
    if (refusal) {
      // After an upgrade the HTTP server no longer handles errors: an unhandled one would end the process.
      socket.on('error', () => socket.destroy())
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => join(engine, webSocket))
  })
  return {
    /** With the launch token. */
    address: `http://${host}/#token=${token}`,
    /** For a command line. Opens the interface once, within two minutes; each call invalidates the previous ticket. */
    addressToOpen: () => `http://${host}/#ticket=${tickets.issue()}`,
    close: async (): Promise<void> => {
      for (const client of sockets.clients) client.close(1001, 'Tabscope was closed')
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
        for (const client of sockets.clients) client.terminate()
      })
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1' }, resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an AddressInfo, since it listens on a port and not on a pipe
  return (server.address() as AddressInfo).port
}

function refusalOf(request: IncomingMessage, host: string, token: string): string | null {
  if (request.headers.host !== host) return '421 Misdirected Request'
  if (request.url !== '/wire') return '404 Not Found'
  if (request.headers.origin !== `http://${host}`) return '403 Forbidden'
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',')
  const given = protocols.map((protocol) => protocol.trim())
  const carried = given.find((protocol) => protocol.startsWith('token.'))?.slice('token.'.length)
  if (!given.includes('tabscope') || !isToken(carried ?? '', token)) return '401 Unauthorized'
  return null
}

type SessionRoute = (
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
) => void | Promise<void>

function isFromPage(request: IncomingMessage, response: ServerResponse, host: string): boolean {
  if (request.method !== 'POST') {
    refuse(response, 405, 'Use POST to request a session.')
    return false
  }
  if (request.headers.origin !== `http://${host}`) {
    refuse(response, 403, 'Only a page of this server can request a session.')
    return false
  }
  return true
}

async function exchangeTicket(
  request: IncomingMessage,
  response: ServerResponse,
  tickets: LaunchTickets,
  token: string,
): Promise<void> {
  // Checked before the ticket, so that another user who read it on the command line cannot use it up.
  if (await isAnotherUser(request.socket)) {
    return refuse(response, 403, 'Only the user who runs Tabscope can exchange a ticket.')
  }
  const ticket = /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!tickets.redeem(ticket)) {
    return refuse(response, 401, 'This ticket was already used or has expired.')
  }
  sendJson(response, { token })
}

/**
 * Proves to a page that this server has the same launch token: `POST /session/proof?nonce=<43 characters>` returns
 * HMAC-SHA256(token, "tabscope-server:<host>:<nonce>") in hex. With the port, so that a proof is useless to a server on another port.
 */
function proveServer(
  response: ServerResponse,
  nonce: string | null,
  host: string,
  token: string,
): void {
  if (!/^[\w-]{43}$/.test(nonce ?? '')) return refuse(response, 400, 'A proof requires a nonce.')
  const proof = createHmac('sha256', token).update(`tabscope-server:${host}:${nonce}`).digest('hex')
  sendJson(response, { proof })
}

function sendJson(response: ServerResponse, value: object): void {
  const body = JSON.stringify(value)
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  })
  response.end(body)
}

function isToken(given: string, token: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(token)
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

/** Reused, because a new one grows its buffer step by step for each frame. */
const encoder = new Encoder({ ignoreUndefined: true })

function join(engine: Engine, socket: WebSocket): void {
  const connection = engine.connect(
    (frame) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > backlogLimit) socket.terminate()
      else socket.send(encoder.encode(frame))
    },
    () => socket.bufferedAmount,
  )
  socket.binaryType = 'nodebuffer'
  socket.on('message', (data, isBinary) => {
    if (!isBinary || !Buffer.isBuffer(data)) return socket.close(1003, 'binary frames only')
    let frame: unknown
    try {
      frame = decode(data)
    } catch {
      return socket.close(1007, 'not MessagePack')
    }
    connection.receive(frame)
  })
  socket.on('close', () => connection.close())
  socket.on('error', () => undefined)
}

async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(response, 405, 'Use GET to read a file.')
  }
  const asset = await readAsset(folder, request.url ?? '/')
  if (!asset) return refuse(response, 404, 'File not found.')
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': asset.type,
    'Content-Length': asset.bytes.byteLength,
    'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : asset.bytes)
}
