import type { ParsedInput } from '#contract/calls.ts'
import type { Header } from '#contract/models.ts'
import type {
  CaseResult,
  OAuthOptions,
  OAuthProgress,
  RehearsalOptions,
  RehearsalProblem,
  RehearsalRequest,
} from '#contract/rehearsal.ts'
import type { NetworkLink } from '../../platform/http/network.ts'

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

export interface HandlerInput {
  readonly options: RehearsalOptions
  readonly identity: RehearsalIdentity
  readonly target: TargetLimits
  readonly ownPorts: SharedArrayBuffer
  readonly listener: string | null
  readonly network: NetworkLink
}

export interface OAuthInput {
  readonly options: RehearsalOptions & { readonly oauth: OAuthOptions }
  readonly accessSecret: string
  readonly publicAllowed: boolean
  readonly network: NetworkLink
}

export type Observed = Pick<ParsedInput<'rehearsals.observed'>, 'value' | 'error'>

export interface EndedCase {
  readonly result: CaseResult
  readonly requests: RehearsalRequest[]
}

export type RehearsalShape = {
  input: HandlerInput | OAuthInput
  /** Why the run could not judge the handler, or is not complete; null: it is complete. */
  output: RehearsalProblem | null
  reports: {
    /** The authorization server, before anything else of such a run. */
    listening: (server: { baseUrl: string; port: number }) => void
    /** `step`: what the user has to do next, with the case; null: nothing. */
    progress: (changes: { progress: OAuthProgress; step: string | null }) => void
    /** Resolves when it is stored. */
    result: (ended: EndedCase) => Promise<void>
    observe: () => Promise<Observed>
  }
  calls: Record<string, never>
}
