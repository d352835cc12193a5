import { lazy } from 'react'

// Loaded with the page of the endpoints.
export const EndpointRelays = lazy(async () => ({
  default: (await import('./EndpointRelays.tsx')).EndpointRelays,
}))

// Loaded when there is a relay.
export const RelayChip = lazy(async () => ({
  default: (await import('./RelayChip.tsx')).RelayChip,
}))
