import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from '../listen.ts'

export interface Service {
  readonly baseUrl: string
  readonly accessId: string
  readonly accessSecret: string
}

export interface Tokens {
  readonly token: string
  readonly refreshToken: string
}

export interface Session {
  /** The state of a flow that this session began; null: none. */
  state: string | null
  tokens: Tokens | null
  refreshing: Promise<Tokens | null> | null
}

export interface Context {
  readonly service: Service
  readonly redirectUrl: string
  /** Milliseconds for one request to the service. */
  readonly timeout: number
}

export class Rejected extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The parts of a client. Each fault replaces some of them. */
export interface Parts {
  createState(): string
  authorizeUrl(context: Context, state: string): string
  /** The code of a redirect. Throws `Rejected`. */
  checkRedirect(session: Session | null, query: URLSearchParams, context: Context): string
  requestToken(context: Context, fields: Record<string, string>): Promise<Response>
  /** Reads a token response. Throws. */
  readTokens(response: Response): Promise<Tokens>
  exchange(parts: Parts, context: Context, code: string): Promise<Tokens>
  /** Null: the service refused. */
  refresh(parts: Parts, context: Context, session: Session): Promise<Tokens | null>
  requestApi(context: Context, token: string): Promise<Response>
  /** Null: a new authorization is necessary. */
  callApi(parts: Parts, context: Context, session: Session): Promise<Response | null>
  respond(response: ServerResponse, context: Context): void
}

export const correct: Parts = {
  createState: (): string => randomUUID(),

  authorizeUrl: ({ service, redirectUrl }: Context, state: string): string =>
    `${service.baseUrl}/manager/oauth?${new URLSearchParams({
      response_type: 'code',
      access_id: service.accessId,
      redirect_url: redirectUrl,
      state,
    })}`,

  checkRedirect: (session: Session | null, query: URLSearchParams): string => {
    const [state, ...moreStates] = query.getAll('state')
    const expected = session?.state ?? null
    if (!session || expected === null) throw new Rejected(400, 'No authorization was started.')
    if (moreStates.length > 0 || state === undefined || !isEqual(state, expected))
      throw new Rejected(400, 'The state is wrong.')
    // Before anything else: a redirect is accepted once.
    session.state = null
    if (query.has('error')) throw new Rejected(200, 'You denied access.')
    const [code, ...moreCodes] = query.getAll('code')
    if (code === undefined || code === '' || moreCodes.length > 0)
      throw new Rejected(400, 'The redirect has no code.')
    return code
  },

  requestToken: (context: Context, fields: Record<string, string>): Promise<Response> =>
    fetch(`${context.service.baseUrl}/api/oauth/token`, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(context.timeout),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    }),

  readTokens: async (response: Response): Promise<Tokens> => {
    if (response.status !== 200) throw new Error(`the token endpoint responded ${response.status}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is checked
    const fields = Object(await response.json()) as Record<string, unknown>
    const { tokenType, token, refreshToken } = fields
    if (typeof tokenType !== 'string' || tokenType.toLowerCase() !== 'bearer')
      throw new Error('the type of the token is unknown')
    if (typeof token !== 'string' || typeof refreshToken !== 'string')
      throw new Error('the response has no tokens')
    return { token, refreshToken }
  },

  exchange: async (parts: Parts, context: Context, code: string): Promise<Tokens> =>
    parts.readTokens(
      await parts.requestToken(context, {
        grant_type: 'authorization_code',
        api_access_id: context.service.accessId,
        api_access_secret: context.service.accessSecret,
        code,
      }),
    ),

  // One refresh for all calls that wait.
  refresh: async (parts: Parts, context: Context, session: Session): Promise<Tokens | null> => {
    session.refreshing ??= refreshOnce(parts, context, session).finally(() => {
      session.refreshing = null
    })
    return session.refreshing
  },

  requestApi: ({ service, timeout }: Context, token: string): Promise<Response> =>
    fetch(`${service.baseUrl}/api/locations`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    }),

  callApi: async (parts: Parts, context: Context, session: Session): Promise<Response | null> => {
    const { tokens } = session
    if (!tokens) return null
    const response = await parts.requestApi(context, tokens.token)
    if (response.status !== 401) return response
    // Another call may have refreshed the token.
    const fresh =
      session.tokens && session.tokens.token !== tokens.token
        ? session.tokens
        : await parts.refresh(parts, context, session)
    if (fresh) return parts.requestApi(context, fresh.token)
    session.tokens = null
    return null
  },

  respond: (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Connected.\n')
  },
}

export type Changes = Partial<Parts>

async function refreshOnce(
  parts: Parts,
  context: Context,
  session: Session,
): Promise<Tokens | null> {
  const { tokens } = session
  if (!tokens) return null
  const response = await parts.requestToken(context, {
    grant_type: 'refresh_token',
    api_access_id: context.service.accessId,
    api_access_secret: context.service.accessSecret,
    refresh_token: tokens.refreshToken,
  })
  if (response.status === 400 || response.status === 401) return null
  session.tokens = await parts.readTokens(response)
  return session.tokens
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

function isEqual(a: string, b: string): boolean {
  return digest(a) === digest(b)
}

export interface RunningClient extends AsyncDisposable {
  readonly startUrl: string
  readonly callUrl: string
  readonly redirectUrl: string
  /** Must be called before the first flow. */
  configure(service: Service): void
}

export async function startClient(
  changes: Changes = {},
  { timeout = 1000 }: { timeout?: number } = {},
): Promise<RunningClient> {
  const parts: Parts = { ...correct, ...changes }
  const sessions = new Map<string, Session>()
  let context: Context | null = null
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const status = error instanceof Rejected ? error.status : 502
      response.writeHead(status, { 'content-type': 'text/plain' }).end('Start again.\n')
    })
  })

  const sessionOf = (request: IncomingMessage): Session | null =>
    sessions.get(/\bsid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '') ?? null

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!context) throw new Error('the client is not configured')
    const url = new URL(request.url ?? '/', 'http://client')
    switch (url.pathname.replace(/(.)\/$/, '$1')) {
      case '/start': {
        let session = sessionOf(request)
        const headers: Record<string, string> = {}
        if (!session) {
          const id = randomBytes(16).toString('hex')
          session = { state: null, tokens: null, refreshing: null }
          sessions.set(id, session)
          headers['set-cookie'] = `sid=${id}; HttpOnly; SameSite=Lax; Path=/`
        }
        session.state = parts.createState()
        const location = parts.authorizeUrl(context, session.state)
        response.writeHead(302, { ...headers, location }).end()
        return
      }
      case '/callback': {
        const session = sessionOf(request)
        const code = parts.checkRedirect(session, url.searchParams, context)
        const tokens = await parts.exchange(parts, context, code)
        if (session) session.tokens = tokens
        parts.respond(response, context)
        return
      }
      case '/call': {
        const session = sessionOf(request)
        const result = session && (await parts.callApi(parts, context, session))
        if (!result) response.writeHead(302, { location: '/start' }).end()
        else response.writeHead(result.status === 200 ? 200 : 502).end()
        return
      }
      default:
        response.writeHead(404).end()
    }
  }

  const { port, close } = await listenOnLoopback(server)
  const origin = `http://127.0.0.1:${port}`
  const redirectUrl = `${origin}/callback`
  return {
    startUrl: `${origin}/start`,
    callUrl: `${origin}/call`,
    redirectUrl,
    configure: (service) => {
      context = { service, redirectUrl, timeout }
    },
    [Symbol.asyncDispose]: close,
  }
}
