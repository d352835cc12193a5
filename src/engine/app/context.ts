import type { HoldState } from '#contract/hold.ts'
import type { Settings, StoreStats } from '#contract/models.ts'
import type { Target } from '#contract/sending.ts'
import type { EndpointRules, EndpointRegistry } from '../receiving/endpoints/registry.ts'
import type { Sender } from '../sending/sender.ts'
import type { RunningRequests } from '../platform/running-requests.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Capture } from '../receiving/listener/capture.ts'
import type { Clock } from '../platform/clock.ts'
import type { IntegrationRegistry } from '../receiving/integrations/registry.ts'
import type { Listening } from '../receiving/listener/listening/listening.ts'
import type { CaptureLimits } from '../receiving/listener/messages.ts'
import type { TunnelTimings } from '../receiving/tunnel/timings.ts'
import type { EnginePorts } from '../platform/ports.ts'
import type { Logs } from '../event-logs/service.ts'
import type { Flow } from '../authorization/oauth/flow.ts'
import type { LiveRuns } from '../authorization/oauth/runs.ts'
import type { Relays } from '../receiving/relay/relays.ts'
import type { HealthWatch } from '../deliveries/health/watch.ts'
import type { Rehearsals } from '../handlers/rehearsal/service.ts'
import type { Scenarios } from '../event-logs/scenarios/scenarios.ts'
import type { StoredScript } from '../sending/scripts/messages.ts'
import type { BackgroundDiagnosis } from '../diagnosis/background-diagnosis.ts'
import type { SleepWatch } from '../platform/sleep-watch.ts'
import type { Store } from './threads/store.ts'
import type { TokenManager } from '../authorization/tokens/manager.ts'
import type { Network } from '../platform/http/network.ts'
import type { Tunnel } from '../receiving/tunnel/tunnel.ts'
import type { Mutex } from '#shared/async/mutex.ts'
import type { ReaderApi } from './threads/queries.ts'

export interface EngineConfig {
  /** Absolute path. Created if missing. */
  readonly dataDir: string
  readonly version: string
  /** Overrides the port in the settings for this run, without storing it. */
  readonly listenerPort?: number | undefined
  /** False for a command that only reads. */
  readonly listen?: boolean
  /** `none`: do not reopen the tunnel of the last run. */
  readonly tunnel?: 'none' | undefined
  /** False for a command that ends on its own: tokens are not refreshed. Default: true. */
  readonly background?: boolean
  /** Fails if the store is damaged. Default: move it aside and copy what is readable. */
  readonly keepDamaged?: boolean
  readonly limits?: Partial<CaptureLimits>
  readonly tunnelPace?: Partial<TunnelTimings>
}

/** Configuration is held in memory in the engine's thread; the store has the permanent copy. */
export interface Context {
  readonly ports: EnginePorts
  readonly config: EngineConfig
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly listening: Listening
  readonly capture: Capture
  readonly network: Network
  readonly tunnel: Tunnel
  readonly sender: Sender
  readonly endpointRules: EndpointRules
  /** By origin: confirmed, or with a certificate that is not verified. */
  readonly targets: Map<string, Target>
  /** By name. */
  readonly scripts: Map<string, StoredScript>
  readonly integrations: IntegrationRegistry
  readonly tokens: TokenManager
  readonly sleep: SleepWatch
  readonly logs: Logs<ReaderApi>
  readonly rehearsals: Rehearsals
  readonly scenarios: Scenarios
  readonly relays: Relays
  readonly diagnosis: BackgroundDiagnosis
  readonly health: HealthWatch
  readonly running: RunningRequests
  /** Serializes calls that read, change and write configuration. */
  readonly turn: Mutex
  readonly runs: LiveRuns
  /** Authorizations in progress; each belongs to a run. */
  readonly flows: Set<Flow>
  startSandbox(): Promise<unknown>
  settings: Settings
  secretsLocked: boolean
  caFileProblem: string | null
  stats: StoreStats
  readonly holdChanged: (state: HoldState) => Promise<void>
  /** Sends routes, secrets, rules and limits to the capture and sender threads. Resolves when they apply. */
  configureThreads(): Promise<void>
}
