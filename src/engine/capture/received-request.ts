import type { ServerResponse } from 'node:http'
import type { Arrival, Delivery, DeliverySummary } from '#contract/models.ts'
import type { ConnectionState } from './connections.ts'
import type { InspectedEndpoint } from './messages.ts'

/** Through the response to a request. */
export interface ResponseAnswerer {
  readonly kind: 'response'
  readonly response: ServerResponse
  /** The answer that goes out before it on the same connection, if it had an earlier request. */
  readonly before: ServerResponse | null
  readonly connection: ConnectionState
}

/** How to answer: through the response, or, where HTTP was never understood, on the bare socket. */
export type Answerer =
  | ResponseAnswerer
  | { readonly kind: 'socket'; readonly connection: ConnectionState }
  | { readonly kind: 'none' }

/** One request that ended, whole or not: all that is known before it is inspected. */
export interface ReceivedRequest {
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
  /** Over a connection of our own sender. */
  readonly own: DeliverySummary['own']
  /** Through a tunnel of ours; null: straight to the listener. */
  readonly via: Delivery['via']
  /** The usual one; null: none can be given. */
  readonly status: number | null
  readonly answerer: Answerer
}

/** Microseconds since the epoch. */
export function nowUs(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000)
}

/** What a request costs beside its fields: request, response and stream as objects, in bytes. */
const requestBytes = 4096
/** What a name or a value costs beside its characters, as measured with heads of many short fields, in bytes. */
const fieldBytes = 48

/** About how much memory is held by a request with these fields (names and values, as `rawHeaders`) and so many bytes of body. */
export function heldBytes(fields: readonly string[], bodyBytes: number): number {
  return requestBytes + fields.length * fieldBytes + bodyBytes
}
