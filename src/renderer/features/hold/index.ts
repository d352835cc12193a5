import { onDemand } from '../../ui/on-demand.tsx'

// Loaded once something is held, or shall be.
export const HoldStrip = onDemand(async () => (await import('./HoldStrip.tsx')).HoldStrip)
export const HoldHost = onDemand(async () => (await import('./HoldHost.tsx')).HoldHost)
