import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ReadEffects } from '#engine/handlers/rehearsal/effect-counter.ts'
import { identity } from './rehearse.ts'

/** A parsed body. Handlers trust its fields, as the code of users does. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the code of users
export type Event = Record<string, any>

export type Request = IncomingMessage
export type Response = ServerResponse

/** The steps of a correct handler. A faulty one replaces some of them. */
export interface Steps {
  receive(this: Handler, request: Request, response: Response): Promise<void>
  /** Null: it is too large. */
  readBody(this: Handler, request: Request): Promise<Buffer | null>
  signatureOf(this: Handler, request: Request, body: Buffer): string
  isAuthentic(this: Handler, body: Buffer, signature: string): boolean
  /** Null: the body is no event. */
  parse(this: Handler, body: Buffer): Event | null
  /** Throws, or returns false, if it does not accept the event. */
  validate(this: Handler, event: Event, request: Request): boolean
  typeOf(this: Handler, event: Event, request: Request): string
  /** Events with equal keys are one event. */
  keyOf(this: Handler, event: Event, body: Buffer): string
  isNew(this: Handler, key: string): boolean | Promise<boolean>
  /** The effects of an event. */
  process(this: Handler, type: string, event: Event): void
  reject(this: Handler, response: Response, status: number, request: Request, body: Buffer): void
  accept(this: Handler, response: Response): void
  failed(this: Handler, error: unknown, response: Response): void
}

export interface Handler extends Steps {
  readonly secret: string
  readonly mostBytes: number
  readonly seen: Set<string>
  effects: number
  /** What the handler remembers between events. */
  readonly memory: Map<string, unknown>
  /** Ends the process. A supervisor starts it again at once. */
  crash(): void
}

export const knownTypes: ReadonlySet<string> = new Set([
  'ITEM_ADDED',
  'ITEM_REMOVED',
  'OPEN_TAB',
  'CLOSE_TAB',
  'ORDER_PLACED',
  'GUEST_VERIFIED',
  'GUEST_SUBSCRIBED',
  'GUEST_UNSUBSCRIBED',
  'MENU_UPDATED',
  'PRODUCT_UPDATED',
  'CATEGORY_UPDATED',
  'LOCATION_UPDATED',
  'QR_SCANNED',
])

export function hmac(body: Buffer | string, key: string): string {
  return createHmac('sha256', key).update(body).digest('hex')
}

export function header(request: Request, name: string): string {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

export const correctSteps: Steps = {
  async receive(request, response) {
    if (request.method !== 'POST') return this.reject(response, 405, request, Buffer.of())
    const body = await this.readBody(request)
    if (!body) return this.reject(response, 413, request, Buffer.of())
    if (!this.isAuthentic(body, this.signatureOf(request, body)))
      return this.reject(response, 401, request, body)
    const event = this.parse(body)
    if (!event || !this.validate(event, request)) return this.reject(response, 400, request, body)
    const isNew = await this.isNew(this.keyOf(event, body))
    this.accept(response)
    if (isNew) this.process(this.typeOf(event, request), event)
  },
  async readBody(request) {
    if (Number(header(request, 'content-length')) > this.mostBytes) return null
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of request) {
      bytes += chunk.length
      if (bytes > this.mostBytes) return null
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  },
  signatureOf(request) {
    return header(request, 'x-service-signature')
  },
  isAuthentic(body, signature) {
    const expected = Buffer.from(hmac(body, this.secret))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  },
  parse(body) {
    try {
      const event = JSON.parse(body.toString())
      return typeof event?.type === 'string' ? event : null
    } catch {
      return null
    }
  },
  validate() {
    return true
  },
  typeOf(event) {
    return event.type
  },
  keyOf(event) {
    return JSON.stringify([event.type, event.targetUuid ?? event.targetId, event.createdAt])
  },
  isNew(key) {
    if (this.seen.has(key)) return false
    this.seen.add(key)
    return true
  },
  process(type) {
    if (knownTypes.has(type)) this.effects += 1
  },
  reject(response, status, request) {
    // A body that was not read completely would be taken for the next request.
    if (!request.complete) response.setHeader('Connection', 'close')
    response.writeHead(status).end()
  },
  accept(response) {
    response.writeHead(204).end()
  },
  failed(_error, response) {
    if (!response.headersSent) response.writeHead(500)
    response.end()
  },
}

export interface RunningHandler extends AsyncDisposable {
  readonly url: string
  readonly readEffects: ReadEffects
}

/** Serves a handler that differs from the correct one in some of its steps. */
export async function serveHandler(
  steps: Partial<Steps> = {},
  { restarts = true }: { restarts?: boolean } = {},
): Promise<RunningHandler> {
  const server = createServer()
  let ended = false
  const handler: Handler = {
    ...correctSteps,
    ...steps,
    secret: identity.secret,
    mostBytes: 10 * 1024 * 1024,
    seen: new Set(),
    effects: 0,
    memory: new Map(),
    crash: () => {
      if (!server.listening) return
      server.close(() => {
        if (restarts && !ended) server.listen(port, '127.0.0.1')
      })
      server.closeAllConnections()
    },
  }
  server.on('request', (request, response) => {
    request.on('error', () => {})
    handler.receive(request, response).catch((error: unknown) => {
      if (request.complete) handler.failed(error, response)
      else response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = addressOf(server)
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    readEffects: async () => handler.effects,
    [Symbol.asyncDispose]: async () => {
      ended = true
      server.close()
      server.closeAllConnections()
    },
  }
}

function addressOf(server: Server): { port: number } {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The handler does not listen')
  return address
}
