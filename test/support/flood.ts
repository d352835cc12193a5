import { Agent, request } from 'node:http'
import { sha256, sign } from './requests.ts'

export interface FloodOptions {
  readonly port: number
  readonly path: string
  readonly connections: number
  readonly secret: string
  /** Part of every body, so that different floods send different bodies. */
  readonly name: string
  readonly limit: number
  /** Bytes added to each body. */
  readonly padding?: number
}

export interface Flood {
  /** SHA-256 of each body with a 200 response. */
  readonly answered: ReadonlySet<string>
  /** SHA-256 of each sent body, with or without a response. */
  readonly sent: ReadonlySet<string>
  /** Errors of connected requests, by code. */
  readonly broken: readonly string[]
  /** Number of responses with another status. */
  readonly refused: readonly number[]
  stop(): void
  /** Resolves when all last requests have finished. */
  readonly done: Promise<void>
}

/** Sends signed deliveries over keep-alive connections, one at a time per connection, until stopped or until the listener is closed. */
export function startFlood(options: FloodOptions): Flood {
  const { port, path, connections, secret, name, limit, padding = 0 } = options
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answered = new Set<string>()
  const sent = new Set<string>()
  const broken: string[] = []
  const refused: number[] = []
  let stopped = false

  const deliver = (): Promise<boolean> =>
    new Promise((resolve) => {
      const body = JSON.stringify({
        type: 'OPEN_TAB',
        targetUuid: `${name}-${sent.size}`,
        data: padding === 0 ? {} : { padding: 'x'.repeat(padding) },
      })
      const hash = sha256(body)
      sent.add(hash)
      const outgoing = request({
        port,
        path,
        host: '127.0.0.1',
        method: 'POST',
        agent,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'X-Service-Signature': sign(body, secret),
        },
      })
      outgoing.on('response', (response) => {
        // The status line counts as the response, even if the rest is lost.
        if (response.statusCode === 200) answered.add(hash)
        else refused.push(response.statusCode ?? 0)
        response.on('error', () => undefined)
        response.on('close', () => resolve(true))
        response.resume()
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') return resolve(false)
        broken.push(error.code ?? error.message)
        resolve(true)
      })
      outgoing.end(body)
    })

  const run = async (): Promise<void> => {
    while (!stopped && sent.size < limit) {
      if (!(await deliver())) break
    }
  }
  const done = Promise.all(Array.from({ length: connections }, run)).then(() => agent.destroy())
  return {
    answered,
    sent,
    broken,
    refused,
    done,
    stop: () => {
      stopped = true
    },
  }
}
