import { createHash, createHmac } from 'node:crypto'

export const testSecret = 'a secret of the tests'

export const goodBody = Buffer.from(
  '{"type":"OPEN_TAB","targetUuid":"tab-1","createdAt":"2026-03-14T21:00:00.000Z","data":{"name":"Ada","spotName":"T4","total":0}}',
)

export function sign(body: string | Uint8Array, secret = testSecret): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

export function sha256(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

/** Builds a request head in Latin-1 with one header per line. */
export function head(line: string, headers: readonly string[]): Buffer {
  return Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n`, 'latin1')
}

const usualHeaders = [
  'User-Agent: Service-WebhookAgent/1.0',
  'Content-Type: application/json',
  'X-Service-Application-ID: app-1',
] as const

/** Headers for `goodBody`, without the signature. */
export const goodHeaders: readonly string[] = [
  ...usualHeaders,
  'X-Service-Event-Type: OPEN_TAB',
  'X-Service-Event-Target-UUID: tab-1',
]

/** Builds a signed POST. With `goodBody` it matches the API documentation. */
export function post(
  path: string,
  body: string | Uint8Array,
  headers: readonly string[] = [],
): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    head(`POST ${path} HTTP/1.1`, [
      'Host: 127.0.0.1',
      `Content-Length: ${bytes.byteLength}`,
      `X-Service-Signature: ${sign(bytes)}`,
      ...(bytes.includes(goodBody) ? goodHeaders : usualHeaders),
      ...headers,
    ]),
    bytes,
  ])
}
