import { lazy } from 'react'

export { RelayChip } from './RelayChip.tsx'
export { EndpointRelays } from './EndpointRelays.tsx'

// Loaded when something was received while the desktop was away.
export const AwayStrip = lazy(async () => ({
  default: (await import('./AwayStrip.tsx')).AwayStrip,
}))
