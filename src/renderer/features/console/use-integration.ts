import type { Integration } from '#contract/integrations.ts'
import { useSettings } from '../settings/store.ts'

/** The integration that requests go to; null before there is one. */
export function useIntegration(): Integration | null {
  return useSettings((state) => state.integrations[0] ?? null)
}
