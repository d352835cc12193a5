import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { RunFailureCode } from '#contract/authorization.ts'
import { portHolder } from '../../capture/listening/port-owner.ts'
import { pageHeaders, renderPage, type LoopbackPage } from './loopback-page.ts'

/** A browser that says nothing, or not enough, is cut off after so many milliseconds. */
const patienceMs = 10_000
/** Room for a long code; bytes of a request's head. */
const headBytes = 32 * 1024
const connections = 32

/** The redirect URL's host and port cannot be listened on; `message` is a sentence for people. */
export class LoopbackFailure extends Error {
  override readonly name = 'LoopbackFailure'
  readonly code: Extract<RunFailureCode, 'redirect_port_in_use' | 'redirect_port_forbidden'>

  constructor(code: LoopbackFailure['code'], message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export interface Loopback {
  /** Stops accepting; resolves when the answers that are being given are out. */
  close(): Promise<void>
}

/**
 * Listens on the redirect URL's own host and port, for one flow (RFC 8252, section 7.3). Each GET is judged by `visit`, by its whole address; what it says
 * is shown as a page. Throws `LoopbackFailure`.
 *
 * Who may come: any program of this machine, and any web page through the browser. So: the `Host` must be ours (a name that was rebound to this
 * machine is not), nothing but a GET has an effect, and what a visit may do is up to the state it carries.
 */
export async function openLoopback(
  redirectUrl: string,
  visit: (address: string) => LoopbackPage,
): Promise<Loopback> {
  const url = new URL(redirectUrl)
  const port = Number(url.port || '80')
  const servers: Server[] = []
  const answering = new Set<ServerResponse>()
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => closed(server, answering)))
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answering.add(response)
    response.on('close', () => answering.delete(response))
    request.resume()
    show(response, request.method === 'HEAD', pageFor(request, url, visit))
  }
  try {
    for (const host of hostsOf(url.hostname)) {
      const server = createServer(
        {
          maxHeaderSize: headBytes,
          headersTimeout: patienceMs,
          requestTimeout: patienceMs,
          connectionsCheckingInterval: 1000,
          keepAlive: false,
        },
        answer,
      )
      server.maxConnections = connections
      server.setTimeout(patienceMs)
      if (await listening(server, host, port, servers.length > 0)) servers.push(server)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

/** A browser may look `localhost` up as either: whoever held the other one would get the code. */
function hostsOf(hostname: string): string[] {
  if (hostname === 'localhost') return ['127.0.0.1', '::1']
  return [hostname.replace(/^\[(.*)\]$/, '$1')]
}

/** False when the machine has no such address, and `optional` says that another is enough. */
async function listening(
  server: Server,
  host: string,
  port: number,
  optional: boolean,
): Promise<boolean> {
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (optional && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) return false
    throw await failureFor(error, code, host, port)
  }
}

async function failureFor(
  error: unknown,
  code: string,
  host: string,
  port: number,
): Promise<LoopbackFailure> {
  if (code === 'EADDRINUSE') {
    const holder = await portHolder(port)
    return new LoopbackFailure(
      'redirect_port_in_use',
      `Port ${port} of ${host}, where the redirect URL leads, is taken${holder ? ` by ${holder}` : ''}.`,
      error,
    )
  }
  return new LoopbackFailure(
    'redirect_port_forbidden',
    code === 'EACCES'
      ? `Port ${port}, where the redirect URL leads, may not be listened on without further rights.`
      : `Port ${port} of ${host}, where the redirect URL leads, cannot be listened on (${code || 'unknown reason'}).`,
    error,
  )
}

function pageFor(
  { method, headers, url: target = '' }: IncomingMessage,
  redirect: URL,
  visit: (address: string) => LoopbackPage,
): LoopbackPage {
  const host = headers.host?.toLowerCase()
  if (host !== redirect.host && host !== `${redirect.hostname}:${redirect.port || '80'}`) {
    return {
      status: 421,
      title: 'Not here',
      text: 'This address is asked for under another name than its own.',
    }
  }
  if (method === 'HEAD') return { status: 200, title: '', text: '' }
  if (method !== 'GET') {
    return { status: 405, title: 'Not here', text: 'Only a browser’s GET is served here.' }
  }
  // Browsers say what they fetch for: a picture or a frame in somebody's page is no user who comes back.
  const { 'sec-fetch-dest': wanted, 'sec-purpose': purpose } = headers
  if ((wanted !== undefined && wanted !== 'document') || purpose !== undefined) {
    return { status: 403, title: 'Not here', text: 'Only a page that is opened is served here.' }
  }
  const address = `${redirect.protocol}//${redirect.host}${target}`
  if (!target.startsWith('/') || !URL.canParse(address)) {
    return { status: 400, title: 'Not here', text: 'This is no address.' }
  }
  return visit(address)
}

function show(response: ServerResponse, headOnly: boolean, page: LoopbackPage): void {
  const body = Buffer.from(headOnly ? '' : renderPage(page))
  response.writeHead(page.status, {
    ...pageHeaders,
    ...(page.status === 405 ? { Allow: 'GET, HEAD' } : {}),
    'Content-Length': body.byteLength,
  })
  response.end(body)
}

function closed(server: Server, answering: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if (answering.size === 0) return server.closeAllConnections()
    // What is being answered goes out whole; each connection ends with its answer.
    let left = answering.size
    for (const response of answering) {
      response.once('close', () => {
        left -= 1
        if (left === 0) server.closeAllConnections()
      })
    }
  })
}
