import type { Arrival, Delivery, DeliverySummary } from '#contract/models.ts'
import type { Inspection } from '../payload/inspect.ts'

// What the capture thread sends to the writer, which stores it in one transaction, and what it gets back.

/** A delivery without its ID, which the writer assigns. */
export interface NewDelivery extends Inspection {
  /** Microseconds since the epoch. */
  readonly receivedUs: number
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  readonly remoteAddress: string
  readonly endpointId: number | null
  readonly endpointName: string | null
  readonly brand: string
  readonly arrival: Arrival
  readonly reason: string | null
  /** As received; larger than the body if that was too large. */
  readonly bytes: number
  /** Null if no response is possible, or if it is decided later. */
  readonly status: number | null
  readonly sentBy: DeliverySummary['sentBy']
  /** If it is known at this time. */
  readonly respondedBy: DeliverySummary['respondedBy']
  readonly via: Delivery['via']
  /** Names and values alternately, joined by line feeds, which neither can contain. */
  readonly headers: string
  readonly trailers: string
  /** Its own bytes, or their number if they are the next ones of `Group.bodies`. */
  readonly body: Uint8Array | number
}

/** The deliveries `from` to `to` got their responses at `atUs`, except for `lost`: dropped, or responded to later or never. */
export interface GroupResponses {
  readonly from: number
  readonly to: number
  readonly atUs: number
  readonly lost: readonly number[]
}

/** A response after its group, because of a delay or a forward target. */
export interface LateResponse {
  readonly id: number
  readonly atUs: number
  /** Null: the connection was dropped or already closed. */
  readonly status: number | null
  readonly respondedBy: DeliverySummary['respondedBy']
  readonly reason: string | null
}

export interface Group {
  readonly deliveries: readonly NewDelivery[]
  /** Small bodies, one after the other. */
  readonly bodies: Uint8Array
  /** To earlier groups. */
  readonly responses: readonly GroupResponses[]
  readonly late: readonly LateResponse[]
}

/** A group without deliveries need not be durable, and gets no reply. `probe`: whether the store is writable. */
export type ToWriter =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'probe' }

export type FromWriter =
  /** The next group with deliveries is on the disk, with sequential IDs, or was not stored for the reason `failed`. */
  | { readonly kind: 'stored'; readonly firstId: number; readonly failed: string | null }
  | { readonly kind: 'probed'; readonly failed: string | null }

/** What is stored of the stream of an endpoint. */
export interface Position {
  readonly slug: string
  /** When the stream was created, which has other messages if it is created anew. */
  readonly created: string
  readonly position: number
}

export interface RelayedDelivery extends Omit<NewDelivery, 'body'> {
  readonly uid: Uint8Array
  readonly receiver: string
  readonly position: number
  /** Of its body in `RelayedGroup.bodies`. */
  readonly storedBytes: number
}

export interface RelayedGroup extends Position {
  readonly relayId: number
  /** The position before, which the writer compares with the stored one, so that no failed group is passed over. */
  readonly after: number
  readonly forwarded: boolean
  /** Messages that could not be read, which the position passes. */
  readonly skipped: number
  readonly deliveries: readonly RelayedDelivery[]
  /** One after the other. */
  readonly bodies: Uint8Array
}

export interface RelayedResult {
  /** Without copies of stored ones. */
  readonly ids: number[]
  /** Positions of deliveries with a value that the store cannot have, which were skipped. */
  readonly refused: number[]
}
