import type { ServerResponse } from 'node:http'
import type { Arrival } from '#contract/models.ts'
import type { ConnectionState } from './connections.ts'
import type { InspectedEndpoint } from './inspected-endpoint.ts'

/** How to answer: through the response, or, where HTTP was never understood, on the bare socket. */
export type Answerer =
  | {
      readonly kind: 'response'
      readonly response: ServerResponse
      readonly connection: ConnectionState
    }
  | { readonly kind: 'socket'; readonly connection: ConnectionState }
  | { readonly kind: 'none' }

/** One request that ended, whole or not: all that is known before it is inspected. */
export interface Arrived {
  /** Microseconds since the epoch, from a clock that never goes back within a run. */
  readonly receivedUs: number
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  readonly remoteAddress: string
  readonly rawHeaders: readonly string[]
  readonly rawTrailers: readonly string[]
  readonly body: Uint8Array
  /** Bytes of body that arrived; more than `body` holds when it was too large. */
  readonly bytes: number
  readonly arrival: Arrival
  /** Why it did not end `complete`. */
  readonly reason: string | null
  readonly endpoint: InspectedEndpoint | null
  readonly status: number | null
  readonly answerer: Answerer
}

/** Microseconds since the epoch. */
export function nowUs(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000)
}
