import { compileRules, type EndpointRules } from '../conformance/rules.ts'
import { namedKey, type NamedKey } from '../signature/verify.ts'
import type { EndpointRoute } from './messages.ts'

/** What the capture thread knows of an endpoint, made ready once for all its deliveries. */
export interface InspectedEndpoint {
  readonly id: number
  readonly name: string
  readonly brand: string
  readonly keys: readonly NamedKey[]
  readonly rules: EndpointRules
}

export function inspectedEndpoint(
  route: Omit<EndpointRoute, 'path' | 'responses' | 'forwards'>,
): InspectedEndpoint {
  const { id, name, brand, secrets } = route
  return {
    id,
    name,
    brand,
    keys: secrets.map((secret) => namedKey(secret.name, secret.secret)),
    rules: compileRules(route),
  }
}
