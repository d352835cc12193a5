import type { Clock } from '../clock.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Listening } from '../listening/listening.ts'
import type { EnginePorts } from '../ports.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'

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
