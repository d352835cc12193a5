import type { MessagePort } from 'node:worker_threads'
import type { RelayView } from '#contract/relay.ts'
import type { CaptureConfig } from '../listener/messages.ts'
import type { Position, RelayedResult } from '../../deliveries/groups.ts'
import type { Access } from './connection.ts'

// Between the engine's thread, the relay thread and the writer.

export interface RelayAccess extends Access {
  readonly user: string
  /** `*`: all. */
  readonly endpoints: readonly string[]
}

export interface RelayTarget extends RelayAccess {
  readonly id: number
  readonly forward: boolean
  readonly positions: readonly Position[]
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
