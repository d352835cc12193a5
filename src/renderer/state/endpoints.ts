import { create } from 'zustand'
import type { Endpoint, ListenerState } from '#contract/models.ts'

interface EndpointsState {
  readonly endpoints: readonly Endpoint[]
}

export const useEndpoints = create<EndpointsState>(() => ({ endpoints: [] }))

/** The webhook URL to paste on the service's dashboard; null while the listener is not running. */
export function endpointUrl(listener: ListenerState, endpoint: Endpoint): string | null {
  return listener.state === 'listening' ? `${listener.origin}/hooks/${endpoint.slug}` : null
}
