import type { MessagePort } from 'node:worker_threads'
import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { DraftContent, Preview } from '#contract/compose.ts'
import type {
  Attempt,
  AttemptSummary,
  Edits,
  Job,
  JobPace,
  JobPlan,
  SignChoice,
  Target,
} from '#contract/sending.ts'
import type { Header } from '#contract/models.ts'
import type { AttemptFields, SettledItem } from './store/attempt-rows.ts'
import type { EndpointRoute } from '../capture/messages.ts'

/** The sender's configuration, which the engine sends on every change. Secrets stay inside the process. */
export interface SenderConfig {
  readonly endpoints: readonly EndpointRoute[]
  readonly fallbackBrand: string
  readonly forwards: readonly ForwardTarget[]
  readonly targets: readonly Target[]
  /** The origin of the Tabscope listener, `http://127.0.0.1:4780`; null: it is not running. */
  readonly listener: string | null
  /** Public addresses of the Tabscope listener, each with a path prefix: see `leadsBack`. */
  readonly publicAddresses: readonly string[]
}

export interface SenderThreadData {
  readonly storePath: string
  /** `Progress`: up to which delivery the store is current. */
  readonly progress: SharedArrayBuffer
  readonly ownPorts: SharedArrayBuffer
  /** Deliveries up to this id existed before the start, and are never forwarded automatically. */
  readonly followFrom: number
  /** To the writer thread: `SendWrites`. */
  readonly writer: MessagePort
  /** To the capture thread: `PassRequest` in, `PassResponse` out. */
  readonly capture: MessagePort
  readonly config: SenderConfig
}

/** Options of everything that the user sends. */
export interface SendOptions {
  /** Milliseconds. */
  readonly timeout: number
  /** Skips TLS verification for this request. */
  readonly insecure: boolean
}

export interface ResendRequest extends SendOptions {
  readonly id: number
  /** Null: the delivery's default target. */
  readonly url: string | null
  readonly sign: SignChoice
  readonly edits: Edits
  readonly key: string | undefined
}

/** A delivery of an event log. Passed as a value, because the sender thread only reads the live store. */
export interface Logged {
  readonly origin: Extract<DraftContent['origin'], { kind: 'log' }>
  readonly method: string
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

export interface JobRequest extends SendOptions {
  readonly filter: string | null
  readonly url: string | null
  readonly sign: SignChoice
  readonly edits: Edits
  readonly pace: JobPace
}

/** The calls of the sender thread. Errors are `AppError`s. */
export type SenderApi = {
  configure: (config: SenderConfig) => void
  look: (url: string) => Promise<Target>
  /** Like `look`, for a forward target: also throws for our own public URL. */
  lookToForward: (url: string) => Promise<Target>
  /** Starts a draft from live data. `startLogged` is for deliveries of event logs. */
  startDraft: (input: ParsedInput<'compose.start'>) => Promise<DraftContent>
  startLogged: (input: { logged: Logged; endpointId: number | null }) => DraftContent
  preview: (input: { draftId: number | null; content: DraftContent }) => Promise<Preview>
  resend: (request: ResendRequest) => Promise<Attempt>
  sendDraft: (request: DraftRequest) => Promise<Attempt>
  cancel: (key: string) => void
  planJob: (input: { url: string | null; ids: readonly number[] }) => Promise<JobPlan>
  /** `ids`: oldest first. */
  startJob: (input: { request: JobRequest; ids: readonly number[] }) => Promise<Job>
  pauseJob: (id: number) => Promise<Job>
  resumeJob: (input: { id: number; uncertain: 'skip' | 'send' }) => Promise<Job>
  cancelJob: (id: number) => Promise<Job>
  resendFailed: (id: number) => Promise<Job>
  /** The current running and paused jobs. The store may be behind. */
  liveJobs: () => Job[]
  health: () => ForwardHealth[]
  dropWaiting: (forwardId: number) => number
  /** Stops sending. Pending requests get a moment to finish and are then `aborted`. All of them are recorded. */
  stop: () => Promise<void>
}

export type SenderEvent =
  | { event: 'job'; job: Job }
  | { event: 'health'; health: ForwardHealth[] }
  | { event: 'attempts'; rows: AttemptSummary[] }
  /** For the log. */
  | { event: 'failed'; message: string; error: unknown }

/** From the capture thread: a durable delivery that should get the response of a target. */
export interface PassRequest {
  readonly key: number
  readonly deliveryId: number
  readonly forwardId: number
  readonly method: string
  readonly path: string
  /** Name, value, name, value. */
  readonly rawHeaders: readonly string[]
  readonly rawTrailers: readonly string[]
  readonly body: Uint8Array
}

/** The reply to the capture thread. If `answer` is null, we respond with 502, and `reason` says why in a sentence. */
export interface PassResponse {
  readonly key: number
  readonly answer: {
    readonly status: number
    /** Without hop-by-hop headers (RFC 9110, 7.6.1) and without framing. Name, value, name, value. */
    readonly rawHeaders: readonly string[]
    readonly body: Uint8Array
  } | null
  readonly reason: string | null
}

/** How a request of ours reached the Tabscope listener: forwarded automatically, or sent by the user. */
export type OwnSender = 'forward' | 'send'

/**
 * The local ports from which our sender connects to our listener. Shared memory instead of a message, because the capture thread must know before the
 * request is received, and it must not be part of the request. One byte per port.
 */
export class OwnPorts {
  readonly buffer: SharedArrayBuffer
  readonly #ports: Uint8Array

  constructor(buffer = new SharedArrayBuffer(65_536)) {
    this.buffer = buffer
    this.#ports = new Uint8Array(buffer)
  }

  /** Marks connections from this local port to our listener as ours; null removes the mark. */
  mark(localPort: number, as: OwnSender | null): void {
    Atomics.store(this.#ports, localPort, as === null ? 0 : as === 'forward' ? 1 : 2)
  }

  of(remotePort: number | undefined): OwnSender | null {
    const mark = remotePort === undefined ? 0 : Atomics.load(this.#ports, remotePort)
    return mark === 0 ? null : mark === 1 ? 'forward' : 'send'
  }
}

/** A range of deliveries that were not forwarded: those of the endpoint and the types between two ids. */
export interface Skip {
  readonly forwardId: number
  readonly url: string
  /** The endpoint and types (empty: all) of the forward target at that time. */
  readonly endpointId: number
  readonly types: readonly string[]
  readonly fromId: number
  readonly toId: number
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly reason: string
}

/** Attempts, and job items that ended without one, in the order in which they ended. */
export interface AttemptGroup {
  readonly attempts: readonly AttemptFields[]
  readonly settled: readonly SettledItem[]
}

/** The writes of the sender thread, which it sends to the writer thread over its own port. Every call is one transaction. */
export type SendWrites = {
  /**
   * Stores attempts in order. Their deliveries must be stored already. The result is null for an attempt whose delivery was deleted. Does not wait
   * for the disk. If attempts exceed their limits, deletes the oldest in small steps before it resolves.
   */
  record: (input: AttemptGroup) => Promise<(AttemptSummary | null)[]>
  /** Creates a job with all of its items waiting. Durable when it returns. */
  createJob: (input: { request: JobRequest; ids: readonly number[]; createdAt: number }) => number
  /**
   * Marks the next `count` waiting items as about to be sent. Durable when it returns, so that they are not sent again unasked after a crash.
   * Items whose delivery was deleted are skipped and counted in `gone`. Fewer than `count` items mean that none are waiting any more.
   */
  claim: (input: { jobId: number; count: number }) => {
    claimed: { position: number; deliveryId: number }[]
    gone: number
  }
  /** Returns claimed items that were not started to the waiting ones. */
  unclaim: (input: { jobId: number; positions: readonly number[] }) => void
  /** Skips `uncertain` items, or returns them to the waiting ones. */
  settleUncertain: (input: { jobId: number; as: 'skip' | 'send' }) => void
  setJobState: (input: {
    jobId: number
    state: Job['state']
    reason: string | null
    endedAt: number | null
  }) => void
  recordSkips: (skips: readonly Skip[]) => void
  /** Returns the counter of a draft and increments it. 1 if there is no such draft. */
  takeCounter: (draftId: number) => number
}
