import { routes } from '../platform/routes.ts'
import type { Relays } from './relays.ts'

export interface RelayPorts {
  readonly relays: Relays
}

export const relayRoutes = routes<RelayPorts>()({
  'relay.list': ({ relays }) => relays.views(),
  'relay.read': ({ relays }, { invitation }) => relays.read(invitation),
  'relay.add': ({ relays }, input) => relays.add(input),
  'relay.update': ({ relays }, input) => relays.update(input),
  'relay.connect': ({ relays }, { id }) => relays.connect(id),
  'relay.forget': ({ relays }, { id, deliveries }) => relays.forget(id, deliveries),
})
