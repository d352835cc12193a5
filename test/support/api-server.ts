import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Arrived {
  readonly method: string
  readonly url: string
  /** In received order and case, including duplicates. */
  readonly headers: readonly [name: string, value: string][]
  readonly body: Buffer
}

export interface ApiServer extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  readonly arrived: readonly Arrived[]
}

export function headerOf({ headers }: Arrived, name: string): string | undefined {
  const found = headers.filter(([header]) => header.toLowerCase() === name.toLowerCase())
  if (found.length > 1) throw new Error(`${name} was received ${found.length} times`)
  return found[0]?.[1]
}

export async function apiServer(
  answer: (request: Arrived, response: ServerResponse) => unknown,
): Promise<ApiServer> {
  const arrived: Arrived[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { rawHeaders, method = '', url = '' } = request
      const headers = rawHeaders.flatMap((name, at): [string, string][] =>
        at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
      )
      const whole = { method, url, headers, body: Buffer.concat(chunks) }
      arrived.push(whole)
      answer(whole, response)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    arrived,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
