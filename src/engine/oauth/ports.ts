import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { EnginePorts } from '../platform/ports.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Tunnel } from '../tunnel/tunnel.ts'

/** What a run, an authorization or a refresh, needs of the engine. */
export interface RunPorts {
  readonly ports: EnginePorts
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly tunnel: Tunnel
  readonly integrations: IntegrationRegistry
  readonly tokens: Tokens
}
