import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Product } from './product.ts'
import { until } from './until.ts'
import { listenOnLoopback } from './listen.ts'

export interface ConsoleService extends AsyncDisposable {
  readonly origin: string
  /** All requests except token requests, in order. */
  readonly seen: { readonly method: string; readonly url: string; readonly authorization: string }[]
  aborted: number
}

export const accessToken = 'console-access-token-0123456789-7f3a'

const redirectUrl = 'https://tabscope.invalid/callback'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

function json(value: unknown, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
  }
}

const locations = {
  locations: [
    { uuid: '109e0000-91e2-4b00-8a00-000000000009', name: 'Pier 9', open: true, seats: 42.5 },
    { uuid: '109e0000-91e2-4b00-8a00-000000000010', name: 'Harbour Bar', open: false, seats: null },
  ],
}

/** About 10 MiB of JSON: a list of many small values. */
export const bigBody = JSON.stringify({
  items: Array.from({ length: 80_000 }, (_, number) => ({
    number,
    name: `Item ${number}`,
    tags: ['draught', 'vegetarian'],
    note: 'x'.repeat(56),
  })),
})

/** Starts the service on a free port. `answers` adds responses by path. */
export async function startConsoleService(
  answers: Readonly<Record<string, Answer>> = {},
): Promise<ConsoleService> {
  const all: Readonly<Record<string, Answer>> = {
    '/v1/locations': json(locations),
    '/v1/big': (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(bigBody)
    },
    '/v1/revoked': json({ error: 'revoked' }, 401),
    '/v1/forbidden': json({ error: 'forbidden' }, 403),
    '/v1/echo': (response, request) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' })
      response.end(`You sent ${request.headers.authorization ?? 'nothing'}.`)
    },
    '/v1/moved': (response) => {
      response.writeHead(307, { Location: '/v1/locations' }).end()
    },
    '/v1/never': () => undefined,
    ...answers,
  }
  const seen: ConsoleService['seen'] = []
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    request.resume()
    if (path === '/v1/api/oauth/token') return json(tokenAnswer())(response, request)
    if (path === '/v1/manager/oauth') return void response.writeHead(400).end()
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      authorization: request.headers.authorization ?? '',
    })
    response.on('close', () => {
      if (!response.writableFinished) service.aborted += 1
    })
    return (all[path] ?? json({ error: 'not found' }, 404))(response, request)
  })
  const { port, close } = await listenOnLoopback(server)
  const service: ConsoleService = {
    origin: `http://127.0.0.1:${port}`,
    seen,
    aborted: 0,
    [Symbol.asyncDispose]: close,
  }
  return service
}

function tokenAnswer(): Record<string, unknown> {
  const initiated = Math.floor(Date.now() / 1000)
  return {
    tokenType: 'Bearer',
    token: accessToken,
    initiated,
    expires: initiated + 86_400,
    expiresIn: 86_400,
    refreshToken: 'console-refresh-token-0123456789',
  }
}

export async function authorizeFor(
  { engine }: Product,
  service: ConsoleService,
  label = 'Mara',
): Promise<{ integrationId: number; tokenId: number }> {
  const { id: integrationId } = await engine.call('integrations.create', {
    name: 'Pier 9 staging',
    baseUrl: `${service.origin}/v1`,
    accessId: 'acc-1',
    accessSecret: 'console-access-secret-0123456789',
    redirectUrls: [redirectUrl],
    redirectUrl,
  })
  const { id } = await engine.call('authorization.start', {
    integrationId,
    agent: 'none',
    state: 'a-state',
    label,
  })
  await until('the run to wait', async () => {
    const { state } = await engine.call('authorization.run', { id })
    return state === 'waiting' ? true : null
  })
  await engine.call('authorization.paste', {
    runId: id,
    address: `${redirectUrl}?code=a-code-0123456789&state=a-state`,
  })
  const tokenId = await until(
    'the token',
    async () => (await engine.call('authorization.run', { id })).tokenId,
  )
  return { integrationId, tokenId }
}
