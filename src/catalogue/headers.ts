import type { Header } from '#contract/models.ts'

/** Names have the brand instead of `Service`. */
export interface DeliveryHeader {
  readonly id: 'event-type' | 'target-uuid' | 'target-id' | 'application-id' | 'signature'
  readonly name: string
  readonly lowerName: string
  readonly description: string
}

const rows: readonly [DeliveryHeader['id'], suffix: string, description: string][] = [
  ['event-type', 'Event-Type', 'The event `type`.'],
  ['target-uuid', 'Event-Target-UUID', 'The event `targetUuid`.'],
  ['target-id', 'Event-Target-ID', 'The event `targetId`.'],
  [
    'application-id',
    'Application-ID',
    'Unique identifier of the application configured to receive the event; equals the value shown on the integration dashboard page.',
  ],
  [
    'signature',
    'Signature',
    'Present only if a secret is configured: hex-encoded SHA-256 HMAC of the request body keyed with the secret.',
  ],
]

/** In the order of the API documentation, "Delivery headers". */
export function deliveryHeaders(brand: string): readonly DeliveryHeader[] {
  return rows.map(([id, suffix, description]) => {
    const name = `X-${brand}-${suffix}`
    return { id, name, lowerName: name.toLowerCase(), description }
  })
}

export function headerName(brand: string, id: DeliveryHeader['id']): string {
  return deliveryHeaders(brand).find((header) => header.id === id)?.name ?? `X-${brand}`
}

/** The documented start of the user agent (API documentation, "Delivery"). */
export function userAgentPrefix(brand: string): string {
  return `${brand}-WebhookAgent`
}

/** By name in lower case. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'content-type': 'Always `application/json` (API documentation, "Delivery").',
  'user-agent': 'Starts with the brand and `-WebhookAgent` (API documentation, "Delivery").',
  'content-length': 'Size of the body in bytes (RFC 9110, 8.6).',
  'content-encoding':
    'Encoding of the body (RFC 9110, 8.4). The signature covers the encoded bytes.',
  'transfer-encoding': 'The body was sent in chunks, without a length (RFC 9112, 6.1).',
  host: 'The requested host name and port (RFC 9110, 7.2).',
  connection: 'Whether the connection stays open (RFC 9110, 7.6.1).',
  accept: 'Media types that the sender accepts in the response (RFC 9110, 12.5.1).',
  'accept-encoding': 'Content codings that the sender accepts in the response (RFC 9110, 12.5.3).',
  expect: 'The sender waits for `100 Continue` before the body (RFC 9110, 10.1.1).',
  date: 'Time of the message, by the sender’s clock (RFC 9110, 6.6.1).',
  trailer: 'Names of fields that follow the body (RFC 9110, 6.6.2).',
}

const proxyHeaders: Readonly<Record<string, string>> = {
  'x-forwarded-for':
    'The client address claimed by a proxy or tunnel, and the proxies after it. Not verified.',
  'x-forwarded-proto': 'The protocol of the sender claimed by a proxy or tunnel.',
  'x-forwarded-host': 'The requested host claimed by a proxy or tunnel.',
  'x-forwarded-port': 'The requested port claimed by a proxy or tunnel.',
  forwarded: 'Client, protocol and host claimed by proxies (RFC 7239).',
  'x-real-ip': 'The client address claimed by a proxy.',
  'cf-connecting-ip': 'The client address claimed by Cloudflare.',
  'cf-connecting-ipv6': 'The client’s IPv6 address claimed by Cloudflare.',
  'true-client-ip': 'The client address claimed by a content delivery network.',
  via: 'The proxies that forwarded the request, by their own claim (RFC 9110, 7.6.3).',
  'cdn-loop': 'The networks that forwarded the request, for loop detection (RFC 8586).',
  'cf-ray': 'Cloudflare’s request ID.',
  'cf-visitor': 'The protocol of the sender claimed by Cloudflare.',
  'cf-ipcountry': 'The country of the client address, estimated by Cloudflare.',
}

/** What shows that a proxy or tunnel passed the request on. Empty: nothing. */
export function proxyTraces(headers: readonly Header[]): string {
  const names = headers.map(([name]) => name.toLowerCase())
  const added = [...new Set(names)].filter((name) => Object.hasOwn(proxyHeaders, name)).slice(0, 4)
  const isLower = headers.every(([name]) => name === name.toLowerCase())
  const isChunked = isLower && names.includes('transfer-encoding')
  return [...added, ...(isChunked ? ['chunks and names in lower case'] : [])].join(', ')
}

export function proxyHeaderMeaning(lowerName: string): string {
  return Object.hasOwn(proxyHeaders, lowerName)
    ? (proxyHeaders[lowerName] ?? '')
    : 'Added by a proxy or tunnel.'
}
