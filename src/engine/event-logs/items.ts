import type {
  LogDelivery,
  LogEndpoint,
  LogIntegration,
  LogRehearsal,
  LogRun,
  LogToken,
} from '#contract/event-log.ts'
import type { CaseResult, RehearsalRequest } from '#contract/rehearsal.ts'
import type { Attempt } from '#contract/sending.ts'

export interface ExportedAttempt {
  readonly fields: Attempt
  /** Null: the same as the captured body. */
  readonly requestBody: Uint8Array | null
  /** Null: no response was received, or its body was not stored. */
  readonly answerBody: Uint8Array | null
}

export interface ExportedDelivery {
  readonly fields: Omit<LogDelivery, 'kind' | 'body' | 'attempts' | 'moreAttempts'>
  readonly body: Uint8Array
  /** Why the body is missing, as a sentence. Null: it is present. */
  readonly omitted: string | null
  /** Oldest first. */
  readonly attempts: readonly ExportedAttempt[]
}

export interface DeliveryItem {
  readonly kind: 'delivery'
  readonly delivery: ExportedDelivery
}

export interface RehearsalCaseItem {
  readonly kind: 'rehearsal_case'
  readonly rehearsal: number
  readonly result: CaseResult
  readonly requests: readonly RehearsalRequest[]
}

/** What a log contains between its head and its end, in file order. */
export type LogItem =
  | LogIntegration
  | LogEndpoint
  | LogToken
  | LogRun
  | LogRehearsal
  | RehearsalCaseItem
  | DeliveryItem
