/*
 * The interface over HTTP and one WebSocket, for a browser on this machine.
 *
 * Threat model. Who may speak to the engine is whoever was given the address with its token; everybody else is refused:
 *  - another machine: the server is bound to 127.0.0.1.
 *  - a page of another origin in the user's browser (fetch, WebSocket, form, iframe): the WebSocket needs an exact `Origin`, and
 *    nothing can be done over plain HTTP, which serves files that anyone may read in the package, exports to who has their ticket, and
 *    the token to who has the launch ticket.
 *  - DNS rebinding (a foreign name that resolves to 127.0.0.1): every request needs an exact `Host`.
 *  - another user of this machine, or their browser: the WebSocket needs the launch token, 256 random bits, new with each start,
 *    compared in constant time. It travels in the fragment of the address, which no request carries, and in the WebSocket's
 *    subprotocol, which no log keeps. It is printed, but never on a command line, which every user of this machine can read: the program
 *    that opens the browser gets a ticket (`launch-ticket.ts`), which the page exchanges for the token by a POST with an exact `Origin`.
 *    A ticket works once and for two minutes. On Linux it is refused to other users (`peer-user.ts`); elsewhere who reads it there and is
 *    faster than the browser gets in, and the user's page says that its link was used, and what to do. `--no-open` makes no ticket.
 *  - whoever gets this port after us, or had it before us: a page sends its token only to a server that proves to have it, by an HMAC of
 *    this address and the page's nonce (`POST /session/proof`), and a token ends with its process. The next run on the same data folder and
 *    port proves in the same way that it knows the token of the last one, from a file that only its owner can read, and exchanges it for its own
 *    once the user asks for that (`POST /session/resume`). Tabs of one browser share the token over a
 *    `BroadcastChannel`, which pages of exactly this origin alone can reach.
 *  - who asks for a new link (`POST /session/link`, after a restart): the response never holds one. It goes to the terminal, and to the
 *    user's browser only where it is known that the request is the user's own (`peer-user.ts`).
 *  - framing and script injection: `frame-ancestors 'none'`, and a policy without inline scripts or styles.
 *  - an export, which is handed out over plain HTTP so that the browser can save it (`export-download.ts`): its address has a ticket of
 *    256 random bits that only the WebSocket gives, for this one export and one taker. What is in it came from strangers: it is
 *    saved, never shown (attachment, nosniff, sandboxed), so that nothing of it runs under this origin.
 * Not defended: who can read this process's memory, its terminal, or the user's browser profile.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decode, encode } from '@msgpack/msgpack'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import type { Engine } from '#engine/engine.ts'
import { readAsset, securityHeaders } from './assets.ts'
import { createDownloads, exportOf } from './export-download.ts'
import { createLaunchTickets, type LaunchTickets } from './launch-ticket.ts'
import { isForeign } from '#engine/store/private-files.ts'
import { isAnotherUser, isSameUser } from '#engine/listening/peer-user.ts'
import { refuse } from './refuse.ts'

/** The largest frame that is taken, in bytes. A call is small: bodies are sent by the engine, in slices. */
const frameLimit = 8 * 1024 * 1024
/** A browser that reads so slowly that this much waits for it, in bytes, is let go: it comes back and begins anew. */
const backlogLimit = 64 * 1024 * 1024

export interface InterfaceServer {
  /** With the launch token: `http://127.0.0.1:<port>/#token=...` */
  readonly address: string
  /** For a command line: `http://127.0.0.1:<port>/#ticket=...`. It opens the interface once, within two minutes; a new one voids the last. */
  addressToOpen(): string
  close(): Promise<void>
}

/** Opens or prints a link that a page requests. `isSameUser`: it is known that the request is the user's own. Resolves to what was done. */
export type OfferLink = (
  server: Pick<InterfaceServer, 'address' | 'addressToOpen'>,
  isSameUser: boolean,
) => Promise<'opened' | 'printed'>

/**
 * Serves the built interface from `folder`, and the engine to it. Port 0 lets the system choose. `offerLink`: null where nobody could see
 * a link. `sessionFile`: keeps the token for the next run, whose pages can then reconnect; null: none can.
 */
export async function openInterfaceServer(
  engine: Engine,
  folder: string,
  port: number,
  offerLink: OfferLink | null = null,
  sessionFile: string | null = null,
): Promise<InterfaceServer> {
  const token = randomBytes(32).toString('base64url')
  const server = createServer()
  const got = await listen(server, port)
  const host = `127.0.0.1:${got}`
  const secrets: SessionSecrets = { host, token, previous: previousToken(sessionFile, got) }
  keepToken(sessionFile, got, token)
  const downloads = createDownloads(engine)
  const tickets = createLaunchTickets()
  const address = `http://${host}/#token=${token}`
  const addressToOpen = (): string => `http://${host}/#ticket=${tickets.issue()}`
  const sessionRoutes = new Map<string, SessionRoute>([
    ['/session', (request, response) => exchangeTicket(request, response, tickets, token)],
    ['/session/proof', (_, response, query) => proveServer(response, query.get('nonce'), secrets)],
    ['/session/resume', (request, response) => resumeSession(request, response, secrets)],
    [
      '/session/link',
      createLinkRoute(offerLink && ((same) => offerLink({ address, addressToOpen }, same))),
    ],
  ])
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: frameLimit,
    perMessageDeflate: false,
    handleProtocols: () => 'tabscope',
  })
  server.on('request', (request, response) => {
    if (request.headers.host !== host) return refuse(response, 421, 'This server has another name.')
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`)
    const session = sessionRoutes.get(pathname)
    if (session) {
      request.resume()
      if (isFromPage(request, response, host)) void session(request, response, searchParams)
      return
    }
    const wanted = exportOf(request.url ?? '/')
    if (wanted) void downloads.serve(request, response, wanted)
    else void serveFile(request, response, folder)
  })
  server.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, host, token)
    if (refusal) {
      // After an upgrade HTTP hears of no error any more: unheard, it would end the process.
      socket.on('error', () => socket.destroy())
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => join(engine, webSocket))
  })
  return {
    address,
    addressToOpen,
    close: async () => {
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

/** Why this upgrade is refused, as a status line; null: it may come in. */
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

/** Whether it is a POST by a page of this origin; else it is refused. */
function isFromPage(request: IncomingMessage, response: ServerResponse, host: string): boolean {
  if (request.method !== 'POST') {
    refuse(response, 405, 'Sessions are requested by POST.')
    return false
  }
  if (request.headers.origin !== `http://${host}`) {
    refuse(response, 403, 'Only a page of this server can request a session.')
    return false
  }
  return true
}

/** Gives the launch token for a ticket: `POST /session` with `Authorization: Bearer <ticket>`. */
async function exchangeTicket(
  request: IncomingMessage,
  response: ServerResponse,
  tickets: LaunchTickets,
  token: string,
): Promise<void> {
  // Before the ticket is looked at: who read it off the command line does not use it up either.
  if (await isAnotherUser(request.socket)) {
    return refuse(response, 403, 'Only the user who runs Tabscope exchanges a ticket.')
  }
  const ticket = /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!tickets.redeem(ticket)) {
    return refuse(response, 401, 'This ticket was used already, or has expired.')
  }
  sendJson(response, { token })
}

interface SessionSecrets {
  /** `127.0.0.1:<port>`: a proof is worthless to a server on another port. */
  readonly host: string
  readonly token: string
  /** Of the last run on this data folder and port; null: not known. */
  readonly previous: string | null
}

/**
 * Proves to a page that this server has the same launch token, or had it in its last run: `POST /session/proof?nonce=<43 characters>` returns
 * HMAC-SHA256(token, "tabscope-server:<host>:<nonce>") as `proof`, and HMAC-SHA256(previous token, "tabscope-restarted:<host>:<nonce>") as
 * `previous`, in hex.
 */
function proveServer(
  response: ServerResponse,
  nonce: string | null,
  { host, token, previous }: SessionSecrets,
): void {
  if (!/^[\w-]{43}$/.test(nonce ?? '')) return refuse(response, 400, 'A proof requires a nonce.')
  sendJson(response, {
    proof: hmac(token, `tabscope-server:${host}:${nonce}`),
    previous: previous && hmac(previous, `tabscope-restarted:${host}:${nonce}`),
  })
}

/**
 * Gives the launch token to a page that had the one of the last run: `POST /session/resume` with `Authorization: Bearer` and
 * HMAC-SHA256(previous token, "tabscope-resume:<host>") in hex.
 */
async function resumeSession(
  request: IncomingMessage,
  response: ServerResponse,
  { host, token, previous }: SessionSecrets,
): Promise<void> {
  if (await isAnotherUser(request.socket)) {
    return refuse(response, 403, 'Only the user who runs Tabscope can resume a session.')
  }
  const given = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  if (previous === null || !isToken(given, hmac(previous, `tabscope-resume:${host}`))) {
    return refuse(response, 401, 'This session has ended.')
  }
  sendJson(response, { token })
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

const KeptSession = z.object({ port: z.int(), token: z.string() })

function previousToken(file: string | null, port: number): string | null {
  if (file === null) return null
  try {
    if (isForeign(file)) return null
    const kept = KeptSession.parse(JSON.parse(readFileSync(file, 'utf8')))
    return kept.port === port ? kept.token : null
  } catch {
    return null
  }
}

/** Where it cannot be written, pages of this run need a new link after a restart. */
function keepToken(file: string | null, port: number, token: string): void {
  if (file === null) return
  try {
    rmSync(file, { force: true })
    // A new file: the mode of one that is there would stay.
    writeFileSync(file, JSON.stringify({ port, token }), { mode: 0o600, flag: 'wx' })
  } catch {
    // As said above.
  }
}

/** A page without a session may ask for a new link only so often, in milliseconds: any user of this machine can send the request. */
const linkEvery = 5_000

/** Handles `POST /session/link`: a new link is opened or printed, and never part of the response. */
function createLinkRoute(
  offer: ((isSameUser: boolean) => Promise<'opened' | 'printed'>) | null,
): SessionRoute {
  let next = 0
  return async ({ socket }, response) => {
    if (!offer) return refuse(response, 404, 'This server does not issue links.')
    if (await isAnotherUser(socket)) {
      return refuse(response, 403, 'Only the user who runs Tabscope can request a link.')
    }
    const same = await isSameUser(socket)
    if (performance.now() < next) return refuse(response, 429, 'Wait 5 seconds and try again.')
    next = performance.now() + linkEvery
    sendJson(response, { link: await offer(same) })
  }
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

function join(engine: Engine, socket: WebSocket): void {
  const connection = engine.connect((frame) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > backlogLimit) socket.terminate()
    else socket.send(encode(frame, { ignoreUndefined: true }))
  })
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
  // The close that follows says all there is to say.
  socket.on('error', () => undefined)
}

async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(response, 405, 'Only files are served here.')
  }
  const asset = await readAsset(folder, request.url ?? '/')
  if (!asset) return refuse(response, 404, 'There is no such file.')
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': asset.type,
    'Content-Length': asset.bytes.byteLength,
    'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : asset.bytes)
}
