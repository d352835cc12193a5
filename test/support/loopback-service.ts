import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from './listen.ts'

export interface Arrived {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export interface LoopbackService extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  readonly port: number
  readonly arrived: readonly Arrived[]
}

export async function loopbackService(
  answer: (request: Arrived, response: ServerResponse) => void | Promise<void>,
): Promise<LoopbackService> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const { method = '', url = '', headers, rawHeaders } = request
        const one = { method, url, headers, rawHeaders, body }
        arrived.push(one)
        return answer(one, response)
        // A request that its sender ends early.
      },
      () => undefined,
    )
  })
  const listening = await listenOnLoopback(server)
  return { ...listening, baseUrl: `http://127.0.0.1:${listening.port}`, arrived }
}
