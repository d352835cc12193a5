import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAnotherUser } from '../../listening/peer-user.ts'
import { pageHeaders, renderPage, type LoopbackPage } from './loopback-page.ts'

export interface OneUseLink {
  /** `http://127.0.0.1:<port>/<43 characters>` */
  readonly address: string
  close(): Promise<void>
}

/**
 * A link on this machine that redirects to `target` once. It goes onto the command line of the program that opens the browser, which other
 * users can read, in place of an address with a state in it. On Linux other users are refused; elsewhere a second visit is told that the
 * link was used. Throws the system's error when no port can be listened on.
 */
export async function serveOneUseLink(target: string): Promise<OneUseLink> {
  const path = `/${randomBytes(32).toString('base64url')}`
  let used = false
  const server = createServer({ keepAlive: false, requestTimeout: 10_000 }, (request, response) => {
    request.resume()
    void visit(request, response)
  })
  server.maxConnections = 32
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an AddressInfo, since it listens on a port and not on a pipe
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  async function visit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, host, path)
    if (refusal) return show(response, refusal)
    if (await isAnotherUser(request.socket)) return show(response, otherUser)
    if (used) return show(response, usedAlready)
    used = true
    response.writeHead(302, { ...pageHeaders, Location: target, 'Content-Length': 0 })
    response.end()
  }

  return {
    address: `http://${host}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const usedAlready: LoopbackPage = {
  status: 410,
  title: 'This link was used already',
  text: 'If you did not open it yourself, cancel the authorization in Tabscope and start again.',
}
const otherUser: LoopbackPage = {
  status: 403,
  title: 'This link is not yours',
  text: 'Only the user who runs Tabscope can use it.',
}

function refusalOf(
  { method, headers, url = '' }: IncomingMessage,
  host: string,
  path: string,
): LoopbackPage | null {
  if (headers.host !== host)
    return { status: 421, title: 'Unknown host', text: 'Check the address.' }
  if (method !== 'GET') {
    return { status: 405, title: 'Method not allowed', text: 'Open this address in a browser.' }
  }
  const given = Buffer.from(url)
  const expected = Buffer.from(path)
  if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) {
    return { status: 404, title: 'Not found', text: 'Check the address.' }
  }
  // A page of somebody else must not use it up in a picture or a frame.
  const wanted = headers['sec-fetch-dest']
  if (wanted !== undefined && wanted !== 'document') {
    return { status: 403, title: 'Not allowed', text: 'Open this address in a browser tab.' }
  }
  return null
}

function show(response: ServerResponse, page: LoopbackPage): void {
  const body = renderPage(page)
  response.writeHead(page.status, { ...pageHeaders, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
