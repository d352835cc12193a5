import type {
  LogDelivery,
  LogEndpoint,
  LogIntegration,
  LogRun,
  LogToken,
} from '#contract/event-log.ts'
import type { Attempt } from '#contract/sending.ts'
import type { Clock } from '../platform/clock.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Listening } from '../capture/listening/listening.ts'
import type { EnginePorts } from '../platform/ports.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'

/** An attempt with its bodies as bytes. */
export interface ExportedAttempt {
  readonly fields: Attempt
  /** Null: as captured. */
  readonly requestBody: Uint8Array | null
  /** Null: none came, or none is kept. */
  readonly answerBody: Uint8Array | null
}

/** A delivery on its way into a log or out of one: all of it, its body as bytes. */
export interface ExportedDelivery {
  readonly fields: Omit<LogDelivery, 'kind' | 'body' | 'attempts' | 'moreAttempts'>
  readonly body: Uint8Array
  /** Why the body is not here, as a sentence; null: it is. */
  readonly omitted: string | null
  /** Oldest first. */
  readonly attempts: readonly ExportedAttempt[]
}

export interface DeliveryItem {
  readonly kind: 'delivery'
  readonly delivery: ExportedDelivery
}

/** What a log holds between its head and its end, in the order in which it stands there. */
export type LogItem = LogIntegration | LogEndpoint | LogToken | LogRun | DeliveryItem

/** What exports and imports are made of. */
export interface LogParts {
  readonly ports: EnginePorts
  readonly clock: Clock
  readonly dataDir: string
  readonly version: string
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly tokens: Tokens
  readonly listening: Listening
}
