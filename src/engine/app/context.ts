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
import type { EngineConfig, EnginePorts } from '../platform/ports.ts'
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
  readonly logs: Logs
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
