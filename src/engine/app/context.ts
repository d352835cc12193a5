import type { Settings, StoreStats } from '#contract/models.ts'
import type { Target } from '#contract/sending.ts'
import type { Answering } from '../endpoints/rules.ts'
import type { Sender } from '../sending/sender.ts'
import type { Running } from '../api-console/request-runner.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Capture } from '../capture/capture.ts'
import type { Clock } from '../platform/clock.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Listening } from '../capture/listening/listening.ts'
import type { EngineConfig, EnginePorts } from '../platform/ports.ts'
import type { Logs } from '../event-logs/service.ts'
import type { Flow } from '../oauth/flow.ts'
import type { LiveRuns } from '../oauth/runs.ts'
import type { SleepWatch } from '../platform/sleep-watch.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Tunnel } from '../tunnel/tunnel.ts'
import type { Mutex } from '#shared/async/mutex.ts'

/** What every call works with. The engine's thread holds configuration in memory; the store has the copy that lasts. */
export interface Context {
  readonly ports: EnginePorts
  readonly config: EngineConfig
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly listening: Listening
  readonly capture: Capture
  readonly tunnel: Tunnel
  readonly sender: Sender
  /** Forward targets and response rules. */
  readonly answering: Answering
  /** Targets that were confirmed, or whose certificate is not looked at, by origin. */
  readonly targets: Map<string, Target>
  readonly integrations: IntegrationRegistry
  readonly tokens: Tokens
  readonly sleep: SleepWatch
  readonly logs: Logs
  /** What the console sends just now. */
  readonly running: Running
  /** What reads configuration, changes it and writes it runs in here, one after the other. */
  readonly turn: Mutex
  /** Runs that go on. */
  readonly runs: LiveRuns
  /** Authorizations that go on: each has a run. */
  readonly flows: Set<Flow>
  /** Starts the sandbox's service, and fills in the integration that stands for it. */
  startSandbox(): Promise<unknown>
  settings: Settings
  /** The system's keyring waits to be unlocked. */
  secretsLocked: boolean
  stats: StoreStats
  /** Hands routes, secrets, rules and limits to the capture thread and to the sender; done when they have them. */
  configureThreads(): Promise<void>
}
