import { createHash } from 'node:crypto'
import type { EndpointRoute } from '#engine/payload/endpoint.ts'
import { SenderConfiguration } from '#engine/sending/sender-configuration.ts'
import type { Captured } from '#engine/deliveries/store.ts'
import { sign } from '#test/support/requests.ts'

/** Without `targetId`, like most types. */
export const body = Buffer.from('{"type":"OPEN_TAB","targetUuid":"tab-1","data":{"name":"Ada"}}')

export const secrets = { current: 'the secret of now', previous: 'the secret before' } as const

/** A delivery that no HTTP client would write: odd case, a duplicate header, one without a value. */
export function delivery(change: Partial<Captured> = {}): Captured {
  const bytes = change.body ?? body
  return {
    id: 7,
    method: 'POST',
    path: '/hooks/main?tag=a%20b',
    headers: [
      ['x-first', 'one'],
      ['HOST', '127.0.0.1:4780'],
      ['user-AGENT', 'Service-WebhookAgent/1.0'],
      ['Content-type', 'application/json'],
      ['content-LENGTH', String(bytes.byteLength)],
      ['X-Twice', 'a'],
      ['X-SERVICE-event-type', 'OPEN_TAB'],
      ['X-Service-Event-Target-UUID', 'tab-1'],
      ['x-twice', 'b  c'],
      ['X-Service-Application-ID', 'app-1'],
      ['x-service-SIGNATURE', sign(bytes, secrets.current)],
      ['X-Empty', ''],
    ],
    trailers: [],
    body: bytes,
    whole: true,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    endpointId: 1,
    brand: 'Service',
    type: 'OPEN_TAB',
    receivedUs: 0,
    own: null,
    ...change,
  }
}

export function route(change: Partial<EndpointRoute> = {}): EndpointRoute {
  return {
    id: 1,
    name: 'Main',
    path: '/hooks/main',
    brand: 'Service',
    applicationId: 'app-1',
    customHeaders: [],
    secrets: [
      { name: 'current', secret: secrets.current },
      { name: 'previous', secret: secrets.previous },
    ],
    responses: [],
    forwards: [],
    ...change,
  }
}

export function filterContextOf(...endpoints: EndpointRoute[]): SenderConfiguration {
  return new SenderConfiguration({
    endpoints,
    fallbackBrand: 'Service',
    forwards: endpoints.flatMap(({ forwards }) => forwards),
    targets: [],
    listener: 'http://127.0.0.1:4780',
    publicAddresses: [],
    scripts: [],
  })
}
