import { userAgentPrefix } from '#catalogue/headers.ts'
import type { DraftContent, DraftHeader } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import type { Attempt, SignChoice } from '#contract/sending.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { Logged } from '../messages.ts'
import { contradicts } from './draft-headers.ts'
import { factsOf } from './body-facts.ts'
import { namesOf } from './header-list.ts'

/** Headers that contradict the delivery's body and endpoint count as set manually. */
export function draftOfDelivery(
  captured: Captured,
  endpoint: EndpointRoute | null,
  url: string,
): DraftContent {
  return {
    origin: { kind: 'delivery', deliveryId: captured.id },
    endpointId: endpoint?.id ?? null,
    method: captured.method,
    url,
    headers: rowsOf(captured.headers, captured.body, captured.brand, endpoint),
    body: { kind: 'captured' },
    sign: { how: 'auto' },
    placeholders: false,
  }
}

/**
 * A draft of an event log's delivery. It is signed again, because the original secret is unknown and redaction may have changed the body. The
 * captured signature stays in its header and can be kept.
 */
export function draftOfLogged(
  { origin, method, headers, body }: Logged,
  endpoint: EndpointRoute | null,
  of: { brand: string; url: string },
): DraftContent {
  return {
    origin,
    endpointId: endpoint?.id ?? null,
    method,
    url: of.url,
    headers: rowsOf(headers, body, of.brand, endpoint),
    body: { kind: 'bytes', bytes: body },
    sign: { how: 'auto' },
    placeholders: false,
  }
}

export function draftOfAttempt(
  attempt: Attempt,
  sent: { body: Uint8Array; captured: Captured | null },
  endpoint: EndpointRoute | null,
  brand: string,
): DraftContent {
  const { captured, body } = sent
  const { host } = new URL(attempt.url)
  const headers = rowsOf(attempt.request.headers, body, brand, endpoint).map((row) =>
    row.name.toLowerCase() === 'host' ? { ...row, byHand: row.value !== host } : row,
  )
  return {
    origin: captured ? { kind: 'delivery', deliveryId: captured.id } : { kind: 'empty' },
    endpointId: endpoint?.id ?? null,
    method: attempt.method,
    url: attempt.url,
    headers,
    body: captured && !attempt.bodyEdited ? { kind: 'captured' } : { kind: 'bytes', bytes: body },
    sign: signOf(attempt, endpoint),
    placeholders: false,
  }
}

/** The same secret if the endpoint has it, otherwise the header as sent. */
function signOf(
  { signing, secretName, bodyEdited }: Attempt,
  endpoint: EndpointRoute | null,
): SignChoice {
  switch (signing) {
    case 'kept':
      return bodyEdited ? { how: 'keep' } : { how: 'auto' }
    case 'none':
      return { how: 'none' }
    case 'broken':
      return { how: 'keep' }
    case 'signed': {
      const which = (['current', 'previous'] as const).find(
        (name) => secretName === `${name} of ${endpoint?.name}`,
      )
      return which ? { how: 'secret', endpointId: null, which } : { how: 'keep' }
    }
  }
}

/** Has the headers that the service sends. Those that depend on others get their values when the draft is sent. */
export function newDraft(
  origin: DraftContent['origin'],
  body: Uint8Array,
  endpoint: EndpointRoute | null,
  of: { brand: string; url: string },
): DraftContent {
  const { usual } = namesOf(of.brand)
  const { echoes } = factsOf(body)
  const rows: readonly Header[] = [
    ['Host', URL.canParse(of.url) ? new URL(of.url).host : ''],
    ['User-Agent', `${userAgentPrefix(of.brand)}/1.0`],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.byteLength)],
    [usual['event-type'], echoes['event-type']],
    [usual['target-uuid'], echoes['target-uuid']],
    [usual['target-id'], echoes['target-id']],
    // Every delivery has an application id, so an endpoint without one gets a sample.
    [usual['application-id'], endpoint?.applicationId || 'app-sample'],
    [usual.signature, ''],
    ...(endpoint?.customHeaders ?? []),
  ]
  return {
    origin,
    endpointId: endpoint?.id ?? null,
    method: 'POST',
    url: of.url,
    headers: rows.map(([name, value]): DraftHeader => ({ name, value, on: true, byHand: false })),
    body: { kind: 'bytes', bytes: body },
    sign: { how: 'auto' },
    placeholders: false,
  }
}

function rowsOf(
  headers: readonly Header[],
  body: Uint8Array,
  brand: string,
  endpoint: EndpointRoute | null,
): DraftHeader[] {
  const names = namesOf(brand)
  return headers.map((header) => {
    const byHand = contradicts(header, { names, endpoint, body })
    return { name: header[0], value: header[1], on: true, byHand }
  })
}
