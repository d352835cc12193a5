import type { RehearsalResult } from '#contract/rehearsal.ts'
import { correct, Rejected, type Changes, type Context, type Session } from './oauth-client.ts'

export interface FaultyClient {
  readonly name: string
  readonly changes: Changes
  /** Milliseconds for one request to the service. */
  readonly timeout?: number
  /** The results of the cases that do not pass. */
  readonly results: Readonly<Record<string, RehearsalResult>>
}

const resultOf = (id: string): RehearsalResult =>
  id.endsWith('?') ? 'warn' : id.endsWith('-') ? 'skipped' : 'fail'

/** `results`: `O1` fails, `O1?` warns, and `O1-` is skipped. */
function client(name: string, results: string, changes: Changes): FaultyClient {
  const listed = results.split(' ').map((id) => [id.replace(/[?-]$/, ''), resultOf(id)] as const)
  return { name, changes, results: Object.fromEntries(listed) }
}

const codeOf = (query: URLSearchParams): string => {
  const code = query.get('code')
  if (code === null) throw new Rejected(400, 'The redirect has no code.')
  return code
}

const authorizeUrl = (context: Context, state: string, changes: Record<string, string | null>) => {
  const url = new URL(correct.authorizeUrl(context, state))
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.href
}

const post = ({ service, timeout }: Context, body: string, headers: Record<string, string>) =>
  fetch(`${service.baseUrl}/api/oauth/token`, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
    headers: { accept: 'application/json', ...headers },
    body,
  })
const asJson = { 'content-type': 'application/json' }

/** States of all sessions. */
const sharedStates = new Set<string>()

export const faultyClients: readonly FaultyClient[] = [
  client('sends no state', 'O1 O3 O4 O5', {
    authorizeUrl: (context, state) => authorizeUrl(context, state, { state: null }),
    checkRedirect: (_session, query) => codeOf(query),
  }),
  client('sends a state of 32 bits', 'O1', {
    createState: () => correct.createState().slice(0, 8),
  }),
  client('sends a scope', 'O1?', {
    authorizeUrl: (context, state) => authorizeUrl(context, state, { scope: 'all' }),
  }),
  client('sends the redirect URL with a slash at its end', 'O2', {
    authorizeUrl: (context, state) =>
      authorizeUrl(context, state, { redirect_url: `${context.redirectUrl}/` }),
  }),
  client('ignores the state', 'O3 O4 O5', { checkRedirect: (_session, query) => codeOf(query) }),
  client('reads the first of two states', 'O3', {
    checkRedirect: (session, query, context) => {
      const state = query.get('state')
      if (state !== null) query.set('state', state)
      return correct.checkRedirect(session, query, context)
    },
  }),
  client('keeps the states of all sessions in one list', 'O4', {
    createState: () => {
      const state = correct.createState()
      sharedStates.add(state)
      return state
    },
    checkRedirect: (_session, query) => {
      const states = query.getAll('state')
      if (states.length !== 1 || !sharedStates.delete(states[0] ?? ''))
        throw new Rejected(400, 'The state is wrong.')
      if (query.has('error')) throw new Rejected(200, 'You denied access.')
      return codeOf(query)
    },
  }),
  client('accepts a state more than once', 'O5', {
    checkRedirect: (session, query, context) => {
      const copy: Session | null = session && { ...session }
      return correct.checkRedirect(copy, query, context)
    },
  }),
  client('exchanges a code that is missing', 'O6', {
    checkRedirect: (session, query, context) => {
      if (!query.has('code') && !query.has('error')) query.set('code', 'undefined')
      return correct.checkRedirect(session, query, context)
    },
  }),
  client('responds with 500 if the user denied access', 'O6', {
    checkRedirect: (session, query, context) => {
      if (query.has('error')) throw new Rejected(500, 'access_denied')
      return correct.checkRedirect(session, query, context)
    },
  }),
  client('encodes the token request as a form', 'O7', {
    requestToken: (context, fields) =>
      post(context, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      }),
  }),
  client('sends the access secret to the authorization page', 'O1? O7', {
    authorizeUrl: (context, state) =>
      authorizeUrl(context, state, { api_access_secret: context.service.accessSecret }),
  }),
  client('shows the access secret in its page', 'O7', {
    respond: (response, { service }) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<script>config = ${JSON.stringify(service)}</script>`),
  }),
  // It gets no token.
  client('sends its credentials with Basic', 'O7 O9- O10- O11- O12-', {
    requestToken: (context, { api_access_id: id, api_access_secret: secret, ...fields }) =>
      post(context, JSON.stringify(fields), {
        ...asJson,
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      }),
  }),
  client('sends the redirect URL to the token endpoint', 'O7?', {
    requestToken: (context, fields) =>
      correct.requestToken(context, { ...fields, redirect_uri: context.redirectUrl }),
  }),
  client('retries the exchange without a limit after 500', 'O8', {
    requestToken: async (context, fields) => {
      let response = await correct.requestToken(context, fields)
      for (let again = 0; again < 30 && response.status === 500; again += 1)
        response = await correct.requestToken(context, fields)
      return response
    },
  }),
  { ...client('waits for the token endpoint without a limit', 'O8', {}), timeout: 60_000 },
  client('compares the type of the token with its case', 'O9', {
    readTokens: async (response) => {
      const { tokenType } = await fieldsOf(response)
      if (tokenType !== 'Bearer') throw new Error('the type of the token is unknown')
      return correct.readTokens(response)
    },
  }),
  client('refreshes the token for each call', 'O10', {
    refresh: (parts, context, session) =>
      correct.refresh(parts, context, { ...session, refreshing: null }),
  }),
  client('retries a call with the expired token', 'O10', {
    requestApi: async (context, token) => {
      const response = await correct.requestApi(context, token)
      return response.status === 401 ? correct.requestApi(context, token) : response
    },
  }),
  client('retries after 403', 'O11', {
    requestApi: async (context, token) => {
      const response = await correct.requestApi(context, token)
      return response.status === 403 ? correct.requestApi(context, token) : response
    },
  }),
  client('refreshes with a revoked token again and again', 'O11', {
    refresh: async (parts, context, session) => {
      for (let again = 0; again < 20; again += 1) {
        const tokens = await correct.refresh(parts, context, session)
        if (tokens) return tokens
      }
      return null
    },
  }),
  client('follows redirects of the API with the token', 'O12', {
    requestApi: async (context, token) => {
      const response = await correct.requestApi(context, token)
      const location = response.headers.get('location')
      if (location === null) return response
      return fetch(location, { headers: { authorization: `Bearer ${token}` } })
    },
  }),
]

async function fieldsOf(response: Response): Promise<Record<string, unknown>> {
  if (response.status !== 200) throw new Error(`the token endpoint responded ${response.status}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its fields are unknown
  return Object(await response.clone().json()) as Record<string, unknown>
}
