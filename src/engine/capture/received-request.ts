import type { ServerResponse } from 'node:http'
import type { Arrival, Delivery, DeliverySummary } from '#contract/models.ts'
import type { ConnectionState } from './connections.ts'
import type { InspectedEndpoint } from './messages.ts'

/** Responds through Node's HTTP response. */
export interface HttpResponseChannel {
  readonly kind: 'response'
  readonly response: ServerResponse
  /** The response to the previous request on the same connection, if any. */
  readonly before: ServerResponse | null
  readonly connection: ConnectionState
}

/** How to respond: through the HTTP response, or on the plain socket if the request could not be parsed. */
export type ResponseChannel =
  | HttpResponseChannel
  | { readonly kind: 'socket'; readonly connection: ConnectionState }
  | { readonly kind: 'none' }

/** A request that ended, complete or not, before it is inspected. */
export interface ReceivedRequest {
  /** Microseconds since the epoch, from a clock that never goes back during a run. */
  readonly receivedUs: number
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  readonly remoteAddress: string
  readonly rawHeaders: readonly string[]
  readonly rawTrailers: readonly string[]
  readonly body: Uint8Array
  /** Size of the body as received; larger than `body` if the body was too large. */
  readonly bytes: number
  readonly arrival: Arrival
  /** Why the arrival is not `complete`. */
  readonly reason: string | null
  readonly endpoint: InspectedEndpoint | null
  /** Set if the request came from Tabscope's own sender. */
  readonly own: DeliverySummary['sentBy']
  /** Set if it was received through a Tabscope tunnel; null: sent directly to the listener. */
  readonly via: Delivery['via']
  /** The default status; null: no response is possible. */
  readonly status: number | null
  readonly channel: ResponseChannel
}

/** Microseconds since the epoch. */
export function nowUs(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000)
}

/** Memory of a request without its fields: request, response and stream objects, in bytes. */
const requestBytes = 4096
/** Memory of a name or value without its characters, measured with many short fields, in bytes. */
const fieldBytes = 48

/** Estimates the memory of a request with these fields (names and values, as `rawHeaders`) and a body of `bodyBytes` bytes. */
export function heldBytes(fields: readonly string[], bodyBytes: number): number {
  return requestBytes + fields.length * fieldBytes + bodyBytes
}
