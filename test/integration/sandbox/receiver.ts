import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { listenOnLoopback } from '#test/support/listen.ts'

export interface Received {
  readonly head: IncomingMessage
  readonly body: Buffer
  /** Whether the signature matches the bytes and the receiver's secret. */
  readonly signed: boolean
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  connections(): number
  close(): Promise<void>
}

export async function listen(listener: RequestListener) {
  let connections = 0
  const server = createServer(listener)
  server.on('connection', () => (connections += 1))
  const listening = await listenOnLoopback(server)
  const url = `http://127.0.0.1:${listening.port}/hooks/main`
  return { ...listening, url, connections: () => connections }
}

/** A plain server that checks signatures, stores the requests, and responds with the `status` of the n-th request. */
export async function receive(
  secret: string,
  status: (index: number) => number = () => 200,
): Promise<Receiver> {
  const received: Received[] = []
  const server = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const signed = request.headers['x-acme-signature'] === signature
      response.statusCode = status(received.length)
      received.push({ head: request, body, signed })
      response.end('ok')
    })
  })
  return { ...server, received }
}
