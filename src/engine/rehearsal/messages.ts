import type { Header } from '#contract/models.ts'
import type {
  CaseResult,
  OAuthOptions,
  OAuthProgress,
  RehearsalOptions,
  RehearsalProblem,
  RehearsalRequest,
} from '#contract/rehearsal.ts'
import type { NetworkLink } from '../platform/http/network.ts'

/** Signs and labels the deliveries of a run. Secrets stay inside the process. */
export interface RehearsalIdentity {
  readonly secret: string | null
  readonly previousSecret: string | null
  readonly accessSecret: string | null
  readonly brand: string
  readonly applicationId: string
  readonly customHeaders: readonly Header[]
}

export interface TargetLimits {
  /** The target may be outside this machine and its network. */
  readonly publicAllowed: boolean
  readonly verifyTls: boolean
}

export interface ObservedUrl extends TargetLimits {
  readonly url: string
}

export interface RehearsalThreadData {
  readonly options: RehearsalOptions
  readonly identity: RehearsalIdentity
  readonly target: TargetLimits
  /** The URL of the observer; null: the run has none. */
  readonly observed: ObservedUrl | null
  readonly ownPorts: SharedArrayBuffer
  readonly listener: string | null
  readonly network: NetworkLink
}

export interface OAuthThreadData {
  readonly options: RehearsalOptions & { readonly oauth: OAuthOptions }
  readonly accessSecret: string
  readonly publicAllowed: boolean
  readonly network: NetworkLink
}

export type FromRehearsal =
  /** The authorization server, or the API that counts effects. The first message of such a run, unless the port is in use. */
  | { event: 'listening'; baseUrl: string; port: number }
  | { event: 'port-in-use' }
  /** `step`: what the user has to do next, with the case; null: nothing. */
  | { event: 'progress'; progress: OAuthProgress; step: string | null }
  | { event: 'result'; result: CaseResult; requests: RehearsalRequest[] }
  /** Asks for the number that the command of the observer prints. */
  | { event: 'observe'; key: number }
  /** `problem`: the run could not judge the handler. The last message. */
  | { event: 'end'; state: 'done' | 'cancelled' | 'failed'; problem: RehearsalProblem | null }

export type ToRehearsal =
  | { kind: 'cancel' }
  | { kind: 'observed'; key: number; value: number | null; error: string | null }
