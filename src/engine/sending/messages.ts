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
import type { EndpointRoute } from '../capture/messages.ts'

/** What the sender knows, as the engine hands it over on every change. Secrets stay inside the process. */
export interface SenderConfig {
  readonly endpoints: readonly EndpointRoute[]
  readonly fallbackBrand: string
  readonly forwards: readonly ForwardTarget[]
  /** Confirmed, or with a certificate that is not looked at; by origin. */
  readonly targets: readonly Target[]
  /** Where our own listener is, `http://127.0.0.1:4780`; null: it does not listen. */
  readonly listener: string | null
  /** Public addresses that lead to our own listener, each with the beginning of a path: see `leadsBack`. */
  readonly publicAddresses: readonly string[]
}

export interface SenderThreadData {
  readonly storePath: string
  /** `Progress`: how far the store has the deliveries. */
  readonly progress: SharedArrayBuffer
  /** `OwnPorts`. */
  readonly ownPorts: SharedArrayBuffer
  /** Deliveries up to this one were there before: they are never forwarded by themselves. */
  readonly followFrom: number
  /** To the writer thread: `SendWrites`. */
  readonly writer: MessagePort
  /** To the capture thread: `PassQuestion` in, `PassAnswer` out. */
  readonly capture: MessagePort
  readonly config: SenderConfig
}

/** What is common to all that is sent at the user's word. */
export interface SendOptions {
  /** Milliseconds. */
  readonly timeout: number
  /** The certificate is not looked at, this time. */
  readonly insecure: boolean
}

export interface ResendRequest extends SendOptions {
  readonly id: number
  /** Null: to where it goes by itself. */
  readonly url: string | null
  readonly sign: SignChoice
  readonly edits: Edits
  readonly key: string | undefined
}

/** A delivery of an event log: this thread reads the live store alone, so it is handed over. */
export interface Logged {
  readonly origin: Extract<DraftContent['origin'], { kind: 'log' }>
  readonly method: string
  /** The request target as it came. */
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

/** What the engine may ask of the sender thread. What is refused is thrown as `AppError`. */
export type SenderApi = {
  configure: (config: SenderConfig) => void
  look: (url: string) => Promise<Target>
  /** The same for what is to be forwarded to; also refused: our own public address. */
  lookToForward: (url: string) => Promise<Target>
  /** From what is here; a delivery of an event log comes by `startLogged`. */
  startDraft: (input: ParsedInput<'compose.start'>) => Promise<DraftContent>
  startLogged: (input: { logged: Logged; endpointId: number | null }) => DraftContent
  preview: (input: { draftId: number | null; content: DraftContent }) => Promise<Preview>
  resend: (wish: ResendRequest) => Promise<Attempt>
  sendDraft: (wish: DraftRequest) => Promise<Attempt>
  cancel: (key: string) => void
  planJob: (input: { url: string | null; ids: readonly number[] }) => Promise<JobPlan>
  /** `ids` in order of arrival. */
  startJob: (input: { wish: JobRequest; ids: readonly number[] }) => Promise<Job>
  pauseJob: (id: number) => Promise<Job>
  resumeJob: (input: { id: number; uncertain: 'skip' | 'send' }) => Promise<Job>
  cancelJob: (id: number) => Promise<Job>
  resendFailed: (id: number) => Promise<Job>
  /** Those that run or are paused, as they stand now: the store may be behind. */
  liveJobs: () => Job[]
  health: () => ForwardHealth[]
  /** Returns how many waited. */
  dropWaiting: (forwardId: number) => number
  /** Nothing new begins; what is under way gets a moment, then ends as `aborted`; all of it is recorded. */
  stop: () => Promise<void>
}

/** What the thread says unasked. */
export type SenderEvent =
  | { event: 'job'; job: Job }
  | { event: 'health'; health: ForwardHealth[] }
  | { event: 'attempts'; rows: AttemptSummary[] }

/** From the capture thread: a delivery that is on the disk, whose answer is to be that of a target. */
export interface PassQuestion {
  readonly key: number
  readonly deliveryId: number
  readonly forwardId: number
  readonly method: string
  /** The request target as it came. */
  readonly path: string
  /** Name, value, name, value. */
  readonly rawHeaders: readonly string[]
  readonly rawTrailers: readonly string[]
  readonly body: Uint8Array
}

/** Back to it. With `answer` null we answer 502, and `reason` says why in a sentence. */
export interface PassAnswer {
  readonly key: number
  readonly answer: {
    readonly status: number
    /** Without those of one connection (RFC 9110, 7.6.1) and without framing. Name, value, name, value. */
    readonly rawHeaders: readonly string[]
    readonly body: Uint8Array
  } | null
  readonly reason: string | null
}
