import type { MessagePort } from 'node:worker_threads'
import type { RelayView } from '#contract/relay.ts'
import type { CaptureConfig } from '../listener/messages.ts'
import type { NewDelivery } from '../../deliveries/groups.ts'
import type { Access } from './connection.ts'

// Between the engine's thread, the relay thread and the writer.

export interface RelayAccess extends Access {
  readonly user: string
  /** `*`: all. */
  readonly endpoints: readonly string[]
}

/** What is stored of the stream of an endpoint. */
export interface Position {
  readonly slug: string
  /** When the stream was created, which has other messages if it is created anew. */
  readonly created: string
  readonly position: number
}

export interface RelayTarget extends RelayAccess {
  readonly id: number
  readonly forward: boolean
  readonly positions: readonly Position[]
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

/** In the order of the groups. `failed`: why nothing of it was stored. */
export interface RelayedReply extends Pick<RelayedResult, 'refused'> {
  readonly failed: string | null
}

/** What only the connection knows. */
export type RelayStatus = Pick<
  RelayView,
  | 'state'
  | 'since'
  | 'reason'
  | 'nextTryAt'
  | 'behind'
  | 'behindSince'
  | 'expiresAt'
  | 'lastReceivedAt'
>

export interface RelayEvent {
  readonly event: 'status'
  readonly id: number
  readonly status: RelayStatus
}

export interface RelayThreadData {
  /** `RelayedGroup` out, `RelayedReply` in. */
  readonly writer: MessagePort
  readonly config: CaptureConfig
}

export type RelayApi = {
  /** Takes effect with the next message. */
  configure: (config: CaptureConfig) => void
  /** Connects and reads what a follower needs. Throws `relay_failed`. */
  check: (access: RelayAccess) => Promise<void>
  /** Starts, or starts again with the new target. */
  follow: (target: RelayTarget) => Promise<void>
  /** Resolves when the writer has everything that was read. */
  unfollow: (id: number) => Promise<void>
  setForward: (input: { id: number; forward: boolean }) => void
  /** Tries again now. `slept`: the connection is not trusted. */
  retry: (input: { id: number | null; slept: boolean }) => void
  stop: () => Promise<void>
}
