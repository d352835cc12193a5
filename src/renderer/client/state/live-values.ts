import { create } from 'zustand'
import type { HealthAlerts } from '#contract/health.ts'
import type { RelayView } from '#contract/relay.ts'
import type { Settings, Endpoint, ListenerState } from '#contract/models.ts'
import { listedIntegration, useAuthorization } from './authorization.ts'
import type {
  ForwardHealth,
  ForwardTarget,
  ResponseRule,
  RuleUse,
} from '#contract/endpoint-rules.ts'

/** What holds now, with the rules of the endpoints. */
export const useHealth = create<HealthAlerts>(() => ({ alerts: [], rules: [], learned: [] }))

/** The relays that this desktop follows, as last reported by the engine. */
export const useRelays = create<{ readonly relays: readonly RelayView[] }>(() => ({ relays: [] }))

interface SettingsState {
  /** Null until the first snapshot is loaded. */
  readonly settings: Settings | null
}

export const useSettings = create<SettingsState>(() => ({ settings: null }))

interface EndpointsState {
  readonly endpoints: readonly Endpoint[]
}

export const useEndpoints = create<EndpointsState>(() => ({ endpoints: [] }))

/** The webhook URL to paste on the service's dashboard; null while the listener is not running. */
export function endpointUrl(listener: ListenerState, endpoint: Endpoint): string | null {
  return listener.state === 'listening' ? `${listener.origin}/hooks/${endpoint.slug}` : null
}

/** The endpoint whose URL the bar and the commands copy: the first one of the listed integration, or of one that is not the sandbox. */
export function useMainEndpoint(): Endpoint | undefined {
  const listed = useAuthorization(listedIntegration)
  const integrations = useAuthorization((state) => state.integrations)
  return useEndpoints(({ endpoints }) => {
    const sandbox = integrations.find(({ kind }) => kind === 'sandbox')?.id
    const own = endpoints.find(({ integrationId }) =>
      listed === null ? integrationId !== sandbox : integrationId === listed,
    )
    return own ?? endpoints[0]
  })
}

interface EndpointRulesState {
  readonly forwards: readonly ForwardTarget[]
  readonly health: readonly ForwardHealth[]
  readonly responses: readonly ResponseRule[]
  readonly uses: readonly RuleUse[]
}

/** The response rules and forward targets of all endpoints. */
export const useEndpointRules = create<EndpointRulesState>(() => ({
  forwards: [],
  health: [],
  responses: [],
  uses: [],
}))
