import type { HealthAlarms, HealthOverview } from '#contract/health.ts'
import type { Listening } from '../capture/listening/listening.ts'
import type { EndpointRules } from '../endpoints/registry.ts'
import type { Clock } from '../platform/clock.ts'
import { routes } from '../platform/routes.ts'
import type { Store } from '../store/store.ts'

export interface HealthPorts {
  readonly store: Store
  readonly clock: Clock
  readonly listening: Listening
  readonly endpointRules: EndpointRules
}

export const healthRoutes = routes<HealthPorts>()({
  'health.overview': (): HealthOverview => {
    throw new Error('not built yet')
  },
  'health.coverage': ({ store, clock, listening, endpointRules }) => {
    const state = listening.state()
    return store.reader.call('coverage', {
      nowMs: clock.now(),
      targets: endpointRules.forwards.map(({ url, endpointId }) => ({ url, endpointId })),
      listener: state.state === 'listening' ? state.origin : null,
    })
  },
  'health.alarms': (): HealthAlarms => ({ alarms: [], rules: [], learned: [] }),
  'health.setRule': () => {
    throw new Error('not built yet')
  },
  'health.rebuild': () => ({ deliveries: 0 }),
})
