/** One header of the document's table, with the brand put in for `Service`. */
export interface DeliveryHeader {
  readonly id: 'event-type' | 'target-uuid' | 'target-id' | 'application-id' | 'signature'
  readonly name: string
  readonly lowerName: string
  /** The document's own words. */
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

/** The delivery headers under a brand (API documentation, "Delivery headers"), in the document's order. */
export function deliveryHeaders(brand: string): readonly DeliveryHeader[] {
  return rows.map(([id, suffix, description]) => {
    const name = `X-${brand}-${suffix}`
    return { id, name, lowerName: name.toLowerCase(), description }
  })
}

/** The name of one of them. */
export function headerName(brand: string, id: DeliveryHeader['id']): string {
  return deliveryHeaders(brand).find((header) => header.id === id)?.name ?? `X-${brand}`
}

/** What the user agent of every delivery begins with (API documentation, "Delivery"). */
export function userAgentPrefix(brand: string): string {
  return `${brand}-WebhookAgent`
}

/** What common HTTP headers mean, for those that the document does not name. Keys are lower-case. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'content-type': 'Always `application/json` (API documentation, "Delivery").',
  'user-agent': 'Starts with the brand and `-WebhookAgent` (API documentation, "Delivery").',
  'content-length': 'Bytes of body announced by the sender (RFC 9110, 8.6).',
  'content-encoding':
    'How the body was encoded (RFC 9110, 8.4). The signature is over the bytes as sent.',
  'transfer-encoding': 'The body was sent in chunks, without a length announced (RFC 9112, 6.1).',
  host: 'The name and port the sender addressed (RFC 9110, 7.2).',
  connection: 'Whether the connection stays open (RFC 9110, 7.6.1).',
  accept: 'What the sender would take as an answer (RFC 9110, 12.5.1).',
  'accept-encoding': 'Content codings that the sender accepts in the response (RFC 9110, 12.5.3).',
  expect: 'The sender waits for `100 Continue` before the body (RFC 9110, 10.1.1).',
  date: 'When the message was made, by the sender’s clock (RFC 9110, 6.6.1).',
  trailer: 'Names of fields that follow the body (RFC 9110, 6.6.2).',
}

/** What headers that are added on the way mean: whose claim it is, and of what. Keys are lower-case. */
const wayMeanings: Readonly<Record<string, string>> = {
  'x-forwarded-for':
    'The client address as a proxy or tunnel claims it, and the proxies after it; not proof of anything.',
  'x-forwarded-proto': 'The protocol of the sender as a proxy or tunnel claims it.',
  'x-forwarded-host': 'The host that was addressed, as a proxy or tunnel claims it.',
  'x-forwarded-port': 'The port that was addressed, as a proxy or tunnel claims it.',
  forwarded: 'Client, protocol and host as proxies claim them (RFC 7239).',
  'x-real-ip': 'The address that a proxy was called from, as it claims.',
  'cf-connecting-ip': 'The client address as Cloudflare claims it.',
  'cf-connecting-ipv6': 'The client’s IPv6 address as Cloudflare claims it.',
  'true-client-ip': 'The client address as a content delivery network claims it.',
  via: 'The proxies that it came by, as they say (RFC 9110, 7.6.3).',
  'cdn-loop': 'The networks that it came by, so that they notice a loop (RFC 8586).',
  'cf-ray': 'Cloudflare’s number of the request.',
  'cf-visitor': 'The protocol of the sender as Cloudflare claims it.',
  'cf-ipcountry': 'The country of the client address, as Cloudflare guesses.',
}

/** The same of any header that is added on the way. */
export function proxyHeaderMeaning(lowerName: string): string {
  return Object.hasOwn(wayMeanings, lowerName)
    ? (wayMeanings[lowerName] ?? '')
    : 'Added by a proxy or tunnel on the way.'
}
