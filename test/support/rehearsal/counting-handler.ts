import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { listenOnLoopback } from '../listen.ts'

export interface CountingHandler extends AsyncDisposable {
  readonly url: string
  readonly count: string
  /** Accepts signatures with an empty key, as a handler does whose secret is not configured. */
  acceptsEmptyKey: boolean
  verifies: boolean
  /** Responses wait for this. */
  hold: () => Promise<void>
  received: number
}

const hmac = (key: string, body: Buffer): string =>
  createHmac('sha256', key).update(body).digest('hex')

const Event = z.looseObject({
  type: z.unknown().optional(),
  targetUuid: z.unknown().optional(),
  createdAt: z.unknown().optional(),
})

/** Starts a webhook handler that counts what it processes, each event once. */
export async function startCountingHandler(secret: string): Promise<CountingHandler> {
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    if (request.url === '/count') {
      response.end(String(seen.size))
      return
    }
    const respond = async (): Promise<void> => {
      const body = await buffer(request)
      handler.received += 1
      await handler.hold()
      const keys = handler.acceptsEmptyKey ? [secret, ''] : [secret]
      const signature = request.headers['x-service-signature']
      if (handler.verifies && !keys.some((key) => hmac(key, body) === signature)) {
        response.writeHead(401).end('wrong signature')
        return
      }
      const { type, targetUuid, createdAt } = Event.parse(JSON.parse(body.toString()))
      seen.add(JSON.stringify([type, targetUuid, createdAt]))
      response.writeHead(204).end()
    }
    respond().catch(() => response.writeHead(400).end())
  })
  const { port, close } = await listenOnLoopback(server)
  const handler: CountingHandler = {
    url: `http://127.0.0.1:${port}/webhooks`,
    count: `http://127.0.0.1:${port}/count`,
    acceptsEmptyKey: false,
    verifies: true,
    hold: () => Promise.resolve(),
    received: 0,
    [Symbol.asyncDispose]: close,
  }
  return handler
}
