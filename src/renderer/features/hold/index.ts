import { onDemand } from '../../ui/on-demand.tsx'

export { useHoldNotices } from './hold-notices.tsx'
// Loaded once something is held, or shall be.
export const HoldHost = onDemand(async () => (await import('./HoldHost.tsx')).HoldHost)
