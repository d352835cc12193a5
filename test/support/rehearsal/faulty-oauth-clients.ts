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
  {
    name: 'sends no state',
    changes: {
      authorizeUrl: (context, state) => authorizeUrl(context, state, { state: null }),
      checkRedirect: (_session, query) => codeOf(query),
    },
    results: { O1: 'fail', O3: 'fail', O4: 'fail', O5: 'fail' },
  },
  {
    name: 'sends a state of 32 bits',
    changes: { createState: () => correct.createState().slice(0, 8) },
    results: { O1: 'fail' },
  },
  {
    name: 'sends a scope',
    changes: { authorizeUrl: (context, state) => authorizeUrl(context, state, { scope: 'all' }) },
    results: { O1: 'warn' },
  },
  {
    name: 'sends the redirect URL with a slash at its end',
    changes: {
      authorizeUrl: (context, state) =>
        authorizeUrl(context, state, { redirect_url: `${context.redirectUrl}/` }),
    },
    results: { O2: 'fail' },
  },
  {
    name: 'ignores the state',
    changes: { checkRedirect: (_session, query) => codeOf(query) },
    results: { O3: 'fail', O4: 'fail', O5: 'fail' },
  },
  {
    name: 'reads the first of two states',
    changes: {
      checkRedirect: (session, query, context) => {
        const state = query.get('state')
        if (state !== null) query.set('state', state)
        return correct.checkRedirect(session, query, context)
      },
    },
    results: { O3: 'fail' },
  },
  {
    name: 'keeps the states of all sessions in one list',
    changes: {
      createState: () => {
        const state = correct.createState()
        sharedStates.add(state)
        return state
      },
      checkRedirect: (_session, query) => {
        const states = query.getAll('state')
        if (states.length !== 1 || !sharedStates.delete(states[0] ?? '')) {
          throw new Rejected(400, 'The state is wrong.')
        }
        if (query.has('error')) throw new Rejected(200, 'You denied access.')
        return codeOf(query)
      },
    },
    results: { O4: 'fail' },
  },
  {
    name: 'accepts a state more than once',
    changes: {
      checkRedirect: (session, query, context) => {
        const copy: Session | null = session && { ...session }
        return correct.checkRedirect(copy, query, context)
      },
    },
    results: { O5: 'fail' },
  },
  {
    name: 'exchanges a code that is missing',
    changes: {
      checkRedirect: (session, query, context) => {
        if (!query.has('code') && !query.has('error')) query.set('code', 'undefined')
        return correct.checkRedirect(session, query, context)
      },
    },
    results: { O6: 'fail' },
  },
  {
    name: 'responds with 500 if the user denied access',
    changes: {
      checkRedirect: (session, query, context) => {
        if (query.has('error')) throw new Rejected(500, 'access_denied')
        return correct.checkRedirect(session, query, context)
      },
    },
    results: { O6: 'fail' },
  },
  {
    name: 'encodes the token request as a form',
    changes: {
      requestToken: (context, fields) =>
        post(context, new URLSearchParams(fields).toString(), {
          'content-type': 'application/x-www-form-urlencoded',
        }),
    },
    results: { O7: 'fail' },
  },
  {
    name: 'sends the access secret to the authorization page',
    changes: {
      authorizeUrl: (context, state) =>
        authorizeUrl(context, state, { api_access_secret: context.service.accessSecret }),
    },
    results: { O1: 'warn', O7: 'fail' },
  },
  {
    name: 'shows the access secret in its page',
    changes: {
      respond: (response, { service }) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<script>config = ${JSON.stringify(service)}</script>`),
    },
    results: { O7: 'fail' },
  },
  {
    name: 'sends its credentials with Basic',
    changes: {
      requestToken: (context, { api_access_id: id, api_access_secret: secret, ...fields }) =>
        post(context, JSON.stringify(fields), {
          ...asJson,
          authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        }),
    },
    // It gets no token.
    results: { O7: 'fail', O9: 'skipped', O10: 'skipped', O11: 'skipped', O12: 'skipped' },
  },
  {
    name: 'sends the redirect URL to the token endpoint',
    changes: {
      requestToken: (context, fields) =>
        correct.requestToken(context, { ...fields, redirect_uri: context.redirectUrl }),
    },
    results: { O7: 'warn' },
  },
  {
    name: 'retries the exchange without a limit after 500',
    changes: {
      requestToken: async (context, fields) => {
        let response = await correct.requestToken(context, fields)
        for (let again = 0; again < 30 && response.status === 500; again += 1) {
          response = await correct.requestToken(context, fields)
        }
        return response
      },
    },
    results: { O8: 'fail' },
  },
  {
    name: 'waits for the token endpoint without a limit',
    changes: {},
    timeout: 60_000,
    results: { O8: 'fail' },
  },
  {
    name: 'compares the type of the token with its case',
    changes: {
      readTokens: async (response) => {
        const { tokenType } = await fieldsOf(response)
        if (tokenType !== 'Bearer') throw new Error('the type of the token is unknown')
        return correct.readTokens(response)
      },
    },
    results: { O9: 'fail' },
  },
  {
    name: 'refreshes the token for each call',
    changes: {
      refresh: (parts, context, session) =>
        correct.refresh(parts, context, { ...session, refreshing: null }),
    },
    results: { O10: 'fail' },
  },
  {
    name: 'retries a call with the expired token',
    changes: {
      requestApi: async (context, token) => {
        const response = await correct.requestApi(context, token)
        return response.status === 401 ? correct.requestApi(context, token) : response
      },
    },
    results: { O10: 'fail' },
  },
  {
    name: 'retries after 403',
    changes: {
      requestApi: async (context, token) => {
        const response = await correct.requestApi(context, token)
        return response.status === 403 ? correct.requestApi(context, token) : response
      },
    },
    results: { O11: 'fail' },
  },
  {
    name: 'refreshes with a revoked token again and again',
    changes: {
      refresh: async (parts, context, session) => {
        for (let again = 0; again < 20; again += 1) {
          const tokens = await correct.refresh(parts, context, session)
          if (tokens) return tokens
        }
        return null
      },
    },
    results: { O11: 'fail' },
  },
  {
    name: 'follows redirects of the API with the token',
    changes: {
      requestApi: async (context, token) => {
        const response = await correct.requestApi(context, token)
        const location = response.headers.get('location')
        if (location === null) return response
        return fetch(location, { headers: { authorization: `Bearer ${token}` } })
      },
    },
    results: { O12: 'fail' },
  },
]

async function fieldsOf(response: Response): Promise<Record<string, unknown>> {
  if (response.status !== 200) throw new Error(`the token endpoint responded ${response.status}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its fields are unknown
  return Object(await response.clone().json()) as Record<string, unknown>
}
