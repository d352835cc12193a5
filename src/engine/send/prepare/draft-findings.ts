import { draftBodyLimit } from '#contract/compose.ts'
import type { Finding, Header } from '#contract/models.ts'
import { inspectedEndpoint, type InspectedEndpoint } from '../../capture/inspected-endpoint.ts'
import { inspect } from '../../capture/inspect.ts'
import type { EndpointRoute } from '../../capture/messages.ts'

/** An endpoint is another object after each change of it. */
const compiled = new WeakMap<EndpointRoute, InspectedEndpoint>()

/**
 * What Tabscope would find if this arrived at the endpoint. Without one nothing is said, and of a body that is too large to be edited neither:
 * it would take longer than a key is pressed.
 */
export function findingsOf(
  request: {
    readonly method: string
    readonly headers: readonly Header[]
    readonly body: Uint8Array
  },
  route: EndpointRoute | null,
): readonly Finding[] {
  const { method, headers, body } = request
  if (!route || body.byteLength > draftBodyLimit) return []
  const endpoint = compiled.get(route) ?? inspectedEndpoint(route)
  compiled.set(route, endpoint)
  const rawHeaders = headers.flat()
  return inspect({ method, rawHeaders, body, arrival: 'complete' }, endpoint, route.brand).findings
}
