import type { ServerResponse } from 'node:http'
import { apiServer } from './api-server.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  readonly body: string
}

export interface TokenEndpoint extends AsyncDisposable {
  readonly origin: string
  readonly asked: Asked[]
  answer: (response: ServerResponse, asked: Asked) => void | Promise<void>
}

export async function openTokenEndpoint(): Promise<TokenEndpoint> {
  const asked: Asked[] = []
  const server = await apiServer(({ method, url, headers, body }, response) => {
    const header = (name: string) => headers.find(([known]) => known.toLowerCase() === name)?.[1]
    const one = {
      method,
      path: url,
      authorization: header('authorization'),
      contentType: header('content-type'),
      body: body.toString(),
    }
    asked.push(one)
    void endpoint.answer(response, one)
  })
  const endpoint: TokenEndpoint = {
    origin: server.origin,
    asked,
    answer: (response) => void response.writeHead(500).end(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return endpoint
}

/** The documented token response, issued at `at` (seconds). */
export function tokenResponse(
  at: number,
  name: string,
  lifetime = 86_400,
): Record<string, string | number> {
  return {
    tokenType: 'Bearer',
    token: `ACCESS-canary-${name}-token`,
    initiated: at,
    expires: at + lifetime,
    expiresIn: lifetime,
    refreshToken: `REFRESH-canary-${name}-token`,
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}
