import { create } from 'zustand'
import type { Endpoint, ListenerState } from '#contract/models.ts'
import { listedIntegration, useAuthorization } from './authorization.ts'

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
