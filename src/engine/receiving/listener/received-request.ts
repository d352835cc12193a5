import type { ServerResponse } from 'node:http'
import type { Arrival, Delivery, DeliverySummary } from '#contract/models.ts'
import { createTimeUs } from '../../platform/clock.ts'
import type { ConnectionState } from './connections.ts'
import type { InspectedEndpoint } from '../../payload/endpoint.ts'
import type { OtherProtocol } from '../../payload/inspect.ts'

export interface HttpResponseChannel {
  readonly kind: 'response'
  readonly response: ServerResponse
  /** The response to the previous request on the same connection. */
  readonly before: ServerResponse | null
  readonly connection: ConnectionState
}

/** The plain socket is for requests that could not be parsed. */
export type ResponseChannel =
  | HttpResponseChannel
  | { readonly kind: 'socket'; readonly connection: ConnectionState }
  | { readonly kind: 'none' }

export interface ReceivedRequest {
  /** Microseconds since the epoch, by the system's clock, which may be set back. */
  readonly receivedUs: number
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  readonly remoteAddress: string
  readonly rawHeaders: readonly string[]
  readonly rawTrailers: readonly string[]
  /** Empty once it was passed to the writer's thread, if it is large. */
  readonly body: Uint8Array
  /** Size of `body`. */
  readonly bodyBytes: number
  /** As received; larger than `body` if the body was too large. */
  readonly bytes: number
  readonly arrival: Arrival
  /** Why the arrival is not `complete`. */
  readonly reason: string | null
  readonly endpoint: InspectedEndpoint | null
  /** The path of the endpoint that was probably meant. */
  readonly nearPath?: string | null
  /** Set if the bytes are known to be another protocol. */
  readonly protocol?: OtherProtocol | null
  /** Set for requests of Tabscope's own sender. */
  readonly own: DeliverySummary['sentBy']
  /** The tunnel; null if it was sent directly to the listener. */
  readonly via: Delivery['via']
  /** The default; null if no response is possible. */
  readonly status: number | null
  readonly channel: ResponseChannel
}

export const nowUs = createTimeUs()

/** Of the request, response and stream objects, without fields. */
const requestBytes = 4096
/** Of a name or value without its characters, measured with many short fields. */
const fieldBytes = 48

/** Estimates the memory of a request. `fields`: names and values, as `rawHeaders`. */
export function heldBytes(fields: readonly string[], bodyBytes: number): number {
  return requestBytes + fields.length * fieldBytes + bodyBytes
}
