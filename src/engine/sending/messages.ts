import type { MessagePort } from 'node:worker_threads'
import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { HoldState } from '#contract/hold.ts'
import type { DraftContent } from '#contract/compose.ts'
import type { AttemptSummary, Edits, Job, JobPace, SignChoice, Target } from '#contract/sending.ts'
import type { Header } from '#contract/models.ts'
import type { NetworkLink } from '../platform/http/network.ts'
import type { HoldWrites } from './store/held.ts'
import type { AttemptFields, SettledItem } from './store/attempt-rows.ts'
import type { EndpointRoute } from '../payload/endpoint.ts'
import type { StoredScript } from './scripts/messages.ts'

/** Sent by the engine after every change. Secrets stay inside the process. */
export interface SenderConfig {
  readonly endpoints: readonly EndpointRoute[]
  readonly fallbackBrand: string
  readonly forwards: readonly ForwardTarget[]
  readonly scripts: readonly StoredScript[]
  readonly targets: readonly Target[]
  readonly listener: string | null
  /** Each with a path prefix: see `pointsToSelf`. */
  readonly publicAddresses: readonly string[]
}

export interface SenderThreadData {
  readonly storePath: string
  readonly progress: SharedArrayBuffer
  readonly ownPorts: SharedArrayBuffer
  /** Deliveries up to this id existed before the start and are never forwarded automatically. */
  readonly followFrom: number
  /** Deliveries were held when Tabscope ended. */
  readonly hasHeld: boolean
  readonly writer: MessagePort
  /** `PassRequest` and `AskRequest` in, their responses out. */
  readonly capture: MessagePort
  readonly config: SenderConfig
  readonly network: NetworkLink
  /** URL of the entry of the script thread. */
  readonly scriptThread: string
}

export interface SendOptions {
  /** Milliseconds. */
  readonly timeout: number
  readonly insecure: boolean
}

export interface ResendRequest extends SendOptions {
  readonly id: number
  /** Null: the delivery's default target. */
  readonly url: string | null
  readonly sign: SignChoice
  readonly edits: Edits
  readonly script: string | null
  readonly key: string | undefined
}

/** A request that is not in the live store, passed by value: a delivery of an event log, or of a cURL command. */
export interface Logged {
  readonly origin: DraftContent['origin']
  readonly method: string
  /** Null: that of the endpoint, with the query of `path`. */
  readonly url: string | null
  readonly path: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly type: string | null
}

export interface DraftRequest extends SendOptions {
  readonly draftId: number | null
  readonly content: DraftContent
  readonly key: string | undefined
}

/** The deliveries of an event log, with new IDs and current times. */
export interface ScenarioRequest {
  readonly logId: number
  /** File name of the log's store. */
  readonly store: string
  readonly name: string
  readonly keepIds: boolean
  readonly seed: number
  readonly comparedTo: number | null
  /** A secret that is not stored signs: see `startJob`. */
  readonly hasSecret: boolean
}

export interface JobRequest extends SendOptions {
  readonly filter: string | null
  readonly url: string | null
  readonly sign: SignChoice
  readonly edits: Edits
  readonly script: string | null
  readonly pace: JobPace
  readonly scenario: ScenarioRequest | null
}

export type HoldInput = ParsedInput<'hold.add'>

export type SenderEvent =
  | { event: 'job'; job: Job }
  | { event: 'health'; health: ForwardHealth[] }
  | { event: 'hold'; state: HoldState }
  | { event: 'attempts'; rows: AttemptSummary[] }
  | { event: 'failed'; message: string; error: unknown }

/** Why a delivery was not forwarded to a target. */
export interface Skip {
  readonly deliveryId: number
  readonly forwardId: number
  readonly url: string
  /** A sentence. */
  readonly reason: string
}

export interface AttemptGroup {
  readonly attempts: readonly AttemptFields[]
  readonly settled: readonly SettledItem[]
  readonly skips: readonly Skip[]
}

/** Called by the sender thread over its own port of the writer thread. Every call is one transaction. */
export type SendWrites = HoldWrites & {
  /**
   * Stores attempts, whose deliveries must be stored already; null for an attempt whose delivery was deleted. Does not wait for the disk. Deletes
   * the oldest attempts beyond the limits in small steps before it resolves.
   */
  record: (input: AttemptGroup) => Promise<(AttemptSummary | null)[]>
  /** Durable when it returns, with all items waiting. */
  createJob: (input: { request: JobRequest; ids: readonly number[]; createdAt: number }) => number
  /** Marks the next `count` waiting items as about to be sent, durably, so that they are not sent again unasked after a crash. */
  claim: (input: { jobId: number; count: number }) => { position: number; deliveryId: number }[]
  unclaim: (input: { jobId: number; positions: readonly number[] }) => void
  settleUncertain: (input: { jobId: number; as: 'skip' | 'send' }) => void
  setJobState: (input: {
    jobId: number
    state: Job['state']
    reason: string | null
    endedAt: number | null
  }) => void
  /** Adds a finding to the delivery. */
  addScriptFailure: (input: { id: number; script: string; reason: string }) => void
  /** Returns the counter of a draft and increments it; 1 if there is no such draft. */
  takeCounter: (draftId: number) => number
}
