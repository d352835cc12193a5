import type { ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'
import { compileRules, type EndpointRules } from './conformance/rules.ts'
import { namedKey, type NamedKey } from './signature/verify.ts'

/** Secrets stay inside the process. */
export interface EndpointRoute {
  readonly id: number
  readonly name: string
  /** `/hooks/<slug>` */
  readonly path: string
  readonly brand: string
  readonly applicationId: string
  /** Configured on the dashboard: every delivery should carry them. */
  readonly customHeaders: readonly Header[]
  /** In the order in which they are tried. */
  readonly secrets: readonly { readonly name: string; readonly secret: string }[]
  /** Enabled ones, in the order in which they are tried. */
  readonly responses: readonly ResponseRule[]
  readonly forwards: readonly ForwardTarget[]
}

/** Prepared once for all deliveries of the endpoint. */
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
