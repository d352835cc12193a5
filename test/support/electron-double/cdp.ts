import { EventEmitter } from 'node:events'
// Playwright does not export names for these types.
import type { Protocol } from '../../../node_modules/playwright-core/types/protocol.d.ts'

type Commands = Protocol.CommandParameters
type Events = Protocol.Events

/**
 * One session of the DevTools protocol. Playwright's sessions cannot be used: Playwright reports a new window only after its first request
 * has a response, but the double must hold that request.
 */
export interface Cdp {
  /** Rejects with the browser's error message, or when the browser or the page is closed. */
  send<M extends keyof Commands>(
    method: M,
    params?: Commands[M],
  ): Promise<Protocol.CommandReturnValues[M]>
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): void
  session(id: string): Cdp
}

interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

export async function connectCdp(endpoint: string): Promise<Cdp> {
  const version = await fetch(`${endpoint}/json/version`)
  const { webSocketDebuggerUrl }: { webSocketDebuggerUrl: string } = JSON.parse(
    await version.text(),
  )
  const socket = new WebSocket(webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`No DevTools at ${endpoint}`)))
  })
  const events = new Map<string, EventEmitter>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0

  const emitterOf = (sessionId: string): EventEmitter => {
    const found = events.get(sessionId) ?? new EventEmitter()
    events.set(sessionId, found)
    return found
  }

  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data))
    if (message.id === undefined) {
      emitterOf(message.sessionId ?? '').emit(message.method ?? '', message.params)
      return
    }
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) asked?.resolve(message.result)
    else asked?.reject(new Error(message.error.message))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser is gone'))
    waiting.clear()
  })

  function sessionOf(sessionId: string): Cdp {
    return {
      async send(method, params) {
        lastId += 1
        const asked = Promise.withResolvers<unknown>()
        waiting.set(lastId, asked)
        const to = sessionId === '' ? {} : { sessionId }
        socket.send(JSON.stringify({ id: lastId, method, params: params ?? {}, ...to }))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- defined by the protocol
        return (await asked.promise) as Protocol.CommandReturnValues[typeof method]
      },
      on: (event, listener) => void emitterOf(sessionId).on(event, listener),
      session: sessionOf,
    }
  }
  return sessionOf('')
}
