import { create } from 'zustand'
import type { Endpoint, ListenerState } from '#contract/models.ts'

interface EndpointsState {
  readonly endpoints: readonly Endpoint[]
}

export const useEndpoints = create<EndpointsState>(() => ({ endpoints: [] }))

/** The address to paste on the service's dashboard; null while nothing listens. */
export function endpointUrl(listener: ListenerState, endpoint: Endpoint): string | null {
  return listener.state === 'listening' ? `${listener.origin}/hooks/${endpoint.slug}` : null
}
