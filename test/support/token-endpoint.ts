import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** One request that came to the endpoint. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface TokenEndpoint extends AsyncDisposable {
  readonly origin: string
  readonly asked: Asked[]
  /** How it answers from now on. */
  answer: (response: ServerResponse, asked: Asked) => void | Promise<void>
}

/** A token endpoint on the loopback interface, which answers as a test says. */
export async function openTokenEndpoint(): Promise<TokenEndpoint> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      asked.push(one)
      void endpoint.answer(response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has this address
  const { port } = server.address() as AddressInfo
  const endpoint: TokenEndpoint = {
    origin: `http://127.0.0.1:${port}`,
    asked,
    answer: (response) => void response.writeHead(500).end(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return endpoint
}

/** The document's token response, issued at `at` (s). */
export function tokenResponse(
  at: number,
  name: string,
  lifetime = 86_400,
): Record<string, string | number> {
  return {
    tokenType: 'Bearer',
    token: `ACCESS-planted-${name}-token`,
    initiated: at,
    expires: at + lifetime,
    expiresIn: lifetime,
    refreshToken: `REFRESH-planted-${name}-token`,
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}
