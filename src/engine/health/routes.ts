import type { Listening } from '../capture/listening/listening.ts'
import type { EndpointRules } from '../endpoints/registry.ts'
import type { Clock } from '../platform/clock.ts'
import { routes } from '../platform/routes.ts'
import type { Store } from '../store/store.ts'
import type { HealthWatch } from './watch.ts'

export interface HealthRoutePorts {
  readonly store: Store
  readonly clock: Clock
  readonly listening: Listening
  readonly endpointRules: EndpointRules
  readonly health: HealthWatch
}

export const healthRoutes = routes<HealthRoutePorts>()({
  'health.overview': ({ store, clock }, query) =>
    store.reader.call('overview', { ...query, now: clock.now() }),

  'health.coverage': ({ store, clock, listening, endpointRules }) => {
    const state = listening.state()
    return store.reader.call('coverage', {
      nowMs: clock.now(),
      targets: endpointRules.forwards.map(({ url, endpointId }) => ({ url, endpointId })),
      listener: state.state === 'listening' ? state.origin : null,
    })
  },

  'health.alerts': ({ health }) => health.view(),

  'health.setRule': ({ health }, rule) => health.setRule(rule),
})
