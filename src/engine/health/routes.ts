import type { HealthAlarms, HealthOverview } from '#contract/health.ts'
import { routes } from '../platform/routes.ts'
import type { Store } from '../store/store.ts'

export interface HealthPorts {
  readonly store: Store
}

export const healthRoutes = routes<HealthPorts>()({
  'health.overview': (): HealthOverview => {
    throw new Error('not built yet')
  },
  'health.alarms': (): HealthAlarms => ({ alarms: [], rules: [], learned: [] }),
  'health.setRule': () => {
    throw new Error('not built yet')
  },
  'health.rebuild': () => ({ deliveries: 0 }),
})
