import { AppError } from '../../../platform/errors.ts'
import { headerPairs } from '../../../platform/http/request-head.ts'
import { randomBytes } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { keptRehearsalBytes } from '#contract/constants.ts'
import type { Header } from '#contract/models.ts'

export interface Flow {
  readonly query: URLSearchParams
  readonly redirectUrl: string
  readonly state: string | null
  readonly code: string
  /** Issued for the code, the newest last. */
  readonly tokens: string[]
  readonly refreshTokens: string[]
}

export interface ClientRequest {
  /** `other-origin`: to the host that redirects point to. `other`: to a path that only browsers request. */
  readonly kind: 'authorize' | 'token' | 'api' | 'other-origin' | 'other'
  readonly method: string
  readonly url: URL
  readonly headers: readonly Header[]
  readonly body: Buffer
  readonly fields: ReadonlyMap<string, unknown>
  readonly isJson: boolean
  /** Of `Authorization`, with any scheme. */
  readonly token: string | null
  /** The flow of its code, refresh token or access token. */
  readonly flow: Flow | null
  reply: { readonly status: number | null; readonly headers: readonly Header[]; body: string }
  closed: boolean
  readonly at: number
}

/** `reset`: the connection is closed without a response. `silence`: it stays open without one until the behavior changes. */
export type Reply =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  | 'reset'
  | 'silence'

/** How the server differs from a correct one. Null: it does not. */
export interface Behavior {
  token?(request: ClientRequest): Reply | null | Promise<Reply | null>
  /** Changes the response to a valid token request. */
  issued?(fields: Record<string, unknown>): Record<string, unknown>
  api?(request: ClientRequest): Reply | null | Promise<Reply | null>
}

const apiReply = json(200, { locations: [{ id: '1', name: 'Pier 9' }] })

const authorizePath = '/manager/oauth'
const tokenPath = '/api/oauth/token'
const browserPaths: readonly string[] = ['/', '/favicon.ico', '/robots.txt']

const lifetime = 86_400
const maxBody = 1024 * 1024
/** A client in a loop must not fill the memory. Further requests are only counted. */
const maxRequests = 2000

export function json(status: number, body: unknown): Reply {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

const escape = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export function page(
  text: string,
  { status = 200, link }: { status?: number; link?: { href: string; label: string } } = {},
): Reply {
  const anchor = link
    ? `<p><a target="_blank" href="${escape(link.href)}">${escape(link.label)}</a></p>`
    : ''
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    },
    body: `<!doctype html><title>Rehearsal</title><p>${escape(text)}</p>${anchor}\n`,
  }
}

/** Adds parameters; the rest of the URL stays exactly the same. */
export function callbackUrl(
  redirectUrl: string,
  pairs: readonly [string, string | null][],
): string {
  const query = pairs
    .flatMap(([name, value]) => (value === null ? [] : `${name}=${encodeURIComponent(value)}`))
    .join('&')
  return redirectUrl + (redirectUrl.includes('?') ? '&' : '?') + query
}

export function correctRedirect({ redirectUrl, code, state }: Flow): string {
  return callbackUrl(redirectUrl, [
    ['code', code],
    ['state', state],
  ])
}

export function randomText(): string {
  return randomBytes(24).toString('base64url')
}

interface Client {
  readonly accessId: string
  readonly accessSecret: string
  readonly redirectUrl: string | null
}

/**
 * Authorization endpoint, token endpoint, and an API at all other paths, on 127.0.0.1. Approves each expected authorization request immediately, records
 * everything, and is lenient in what it accepts, so that one mistake of a client does not hide the next.
 */
export class AuthorizationServer implements AsyncDisposable {
  readonly baseUrl: string
  readonly port: number
  /** Redirects point here. */
  readonly otherOrigin: string
  requests: ClientRequest[] = []
  readonly #client: Client
  readonly #servers: readonly Server[]
  readonly #flows: Flow[] = []
  readonly #usedCodes = new Set<string>()
  readonly #revoked = new Set<Flow>()
  readonly #silent = new Set<ServerResponse>()
  readonly #waiting = new Set<() => void>()
  #behavior: Behavior = {}
  #expected: { reply: (flow: Flow) => Reply; arrived: (flow: Flow) => void } | null = null

  private constructor(client: Client, servers: readonly Server[], ports: readonly number[]) {
    this.#client = client
    this.#servers = servers
    const [port = 0, other = 0] = ports
    this.port = port
    this.baseUrl = `http://127.0.0.1:${port}`
    this.otherOrigin = `http://127.0.0.1:${other}`
  }

  /** Port 0: a free one. Throws `port_in_use`. */
  static async open(port: number, client: Client): Promise<AuthorizationServer> {
    let handle: (other: boolean, ...request: Parameters<RequestListener>) => Promise<void>
    const servers = [false, true].map((other) =>
      createServer((message, response) => {
        // A client that disconnects is not an error.
        handle(other, message, response).catch(() => message.socket.destroy())
      }),
    )
    const [own, second] = servers
    if (!own || !second) throw new Error('there are two servers')
    const ports = [await listen(own, port), await listen(second, 0)]
    const server = new AuthorizationServer(client, servers, ports)
    handle = (other, message, response) => server.#handle(other, message, response)
    return server
  }

  /** The next authorization request begins a flow with this reply. Calls back when it has arrived. */
  expect(reply: (flow: Flow) => Reply, arrived: (flow: Flow) => void): void {
    this.#expected = { reply, arrived }
  }

  /** Further authorization requests begin no flow. */
  expectNone(): void {
    this.#expected = null
  }

  set behavior(behavior: Behavior) {
    this.#behavior = behavior
    for (const response of this.#silent) response.socket?.destroy()
    this.#silent.clear()
  }

  /** Rejects all tokens of a flow from now on. */
  revoke(flow: Flow): void {
    this.#revoked.add(flow)
  }

  /** Calls back after each request and each closed connection, until the returned function is called. */
  watch(changed: () => void): () => void {
    this.#waiting.add(changed)
    return () => void this.#waiting.delete(changed)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.behavior = {}
    await Promise.all(
      this.#servers.map(
        (server) =>
          new Promise((resolve) => {
            server.close(resolve)
            server.closeAllConnections()
          }),
      ),
    )
  }

  async #handle(other: boolean, message: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    const body = await readBody(message)
    const host = message.headers.host ?? ''
    // A foreign name that resolves to this machine (DNS rebinding).
    if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host)) {
      response.writeHead(421).end()
      return
    }
    const request = this.#read(other, message, body)
    if (this.requests.length < maxRequests) this.requests.push(request)
    response.on('close', () => {
      request.closed = true
      this.#changed()
    })
    const reply = this.#replyTo(request)
    this.#changed()
    this.#write(request, response, await reply)
  }

  #changed(): void {
    for (const changed of this.#waiting) changed()
  }

  #read(other: boolean, message: IncomingMessage, body: Buffer): ClientRequest {
    const url = new URL(message.url ?? '/', other ? this.otherOrigin : this.baseUrl)
    const { pathname } = url
    const authorization = message.headers.authorization ?? null
    const token = authorization?.replace(/^\S+\s+/, '') ?? null
    const isBrowser = browserPaths.includes(pathname) && authorization === null
    const kind = other
      ? 'other-origin'
      : pathname === authorizePath
        ? 'authorize'
        : pathname === tokenPath
          ? 'token'
          : isBrowser
            ? 'other'
            : 'api'
    const { fields, isJson } = kind === 'token' ? readFields(body) : noFields
    const given = new Set<unknown>([...fields.values(), ...url.searchParams.values(), token])
    const flow =
      this.#flows.find(({ code, tokens, refreshTokens }) =>
        [code, ...tokens, ...refreshTokens].some((each) => given.has(each)),
      ) ?? null
    return {
      kind,
      method: message.method ?? '',
      url,
      headers: headerPairs(message.rawHeaders),
      body: body.subarray(0, keptRehearsalBytes),
      fields,
      isJson,
      token: kind === 'api' ? token : null,
      flow,
      reply: { status: null, headers: [], body: '' },
      closed: false,
      at: performance.now(),
    }
  }

  async #replyTo(request: ClientRequest): Promise<Reply> {
    switch (request.kind) {
      case 'authorize':
        return this.#authorize(request)
      case 'token':
        return (await this.#behavior.token?.(request)) ?? this.#token(request)
      case 'api':
        return (await this.#behavior.api?.(request)) ?? this.#api(request)
      case 'other-origin':
        return json(200, {})
      case 'other':
        return page('This is the authorization server of a rehearsal.')
    }
  }

  #authorize({ url: { searchParams: query } }: ClientRequest): Reply {
    const expected = this.#expected
    if (expected === null) {
      return page('No authorization is expected in this step. Follow the steps of the rehearsal.')
    }
    const redirectUrl = query.get('redirect_url')
    if (redirectUrl === null || !this.#mayRedirect(redirectUrl)) {
      return page('The redirect URL is not one of this client.', { status: 400 })
    }
    this.#expected = null
    const flow: Flow = {
      query,
      redirectUrl,
      state: query.get('state'),
      code: `ac_${randomText()}`,
      tokens: [],
      refreshTokens: [],
    }
    this.#flows.push(flow)
    const reply = expected.reply(flow)
    expected.arrived(flow)
    return reply
  }

  /** A case judges another spelling of the configured URL. It is followed, so that the other cases can be judged too. */
  #mayRedirect(text: string): boolean {
    const url = URL.parse(text)
    if (url === null) return false
    const { redirectUrl } = this.#client
    if (redirectUrl === null) return true
    return url.origin === URL.parse(redirectUrl)?.origin
  }

  #token(request: ClientRequest): Reply {
    const { fields, url, flow } = request
    const value = (name: string): unknown => fields.get(name) ?? url.searchParams.get(name)
    const refuse = (status: number, error: string): Reply => json(status, { error })
    const { accessId, accessSecret } = this.#client
    if (value('api_access_id') !== accessId || value('api_access_secret') !== accessSecret) {
      return refuse(401, 'invalid_client')
    }
    if (flow === null || this.#revoked.has(flow)) return refuse(400, 'invalid_grant')
    if (!isRefresh(request)) {
      if (this.#usedCodes.has(flow.code)) return refuse(400, 'invalid_grant')
      this.#usedCodes.add(flow.code)
    }
    const issued = issuedToken()
    flow.tokens.push(issued.token)
    flow.refreshTokens.push(issued.refreshToken)
    return json(200, this.#behavior.issued?.(issued) ?? issued)
  }

  #api({ flow, token }: ClientRequest): Reply {
    if (token === null) return json(401, { error: 'no_token' })
    if (flow === null) return json(403, { error: 'token_invalid' })
    if (this.#revoked.has(flow)) return json(401, { error: 'token_revoked' })
    return apiReply
  }

  #write(request: ClientRequest, response: ServerResponse, reply: Reply): void {
    if (reply === 'silence') {
      this.#silent.add(response)
      response.on('close', () => this.#silent.delete(response))
      return
    }
    if (reply === 'reset' || response.destroyed) {
      response.socket?.destroy()
      return
    }
    const { status, headers = {}, body = '' } = reply
    request.reply = { status, headers: Object.entries(headers), body }
    response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(body)
  }
}

function issuedToken() {
  const initiated = Math.floor(Date.now() / 1000)
  return {
    tokenType: 'Bearer',
    token: `at_${randomText()}`,
    initiated,
    expires: initiated + lifetime,
    expiresIn: lifetime,
    refreshToken: `rt_${randomText()}`,
  }
}

/** The API documentation does not describe a refresh: any request with a refresh token counts. */
export function isRefresh({ fields, flow }: ClientRequest): boolean {
  if (fields.get('grant_type') === 'refresh_token') return true
  const values = new Set(fields.values())
  return flow?.refreshTokens.some((each) => values.has(each)) ?? false
}

const noFields = { fields: new Map<string, unknown>(), isJson: false }

function readFields(body: Buffer): { fields: ReadonlyMap<string, unknown>; isJson: boolean } {
  const text = body.toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { fields: new Map(Object.entries(value)), isJson: true }
    }
    return noFields
  } catch {
    return { fields: new Map(new URLSearchParams(text)), isJson: false }
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of message) {
    if (!Buffer.isBuffer(piece)) continue
    bytes += piece.length
    if (bytes > maxBody) throw new Error('the body is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new AppError(
          'port_in_use',
          `Port ${port} is in use. Choose another port, or 0 for a free one.`,
          { cause },
        ),
      ),
    )
    server.listen({ port, host: '127.0.0.1' }, resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
