import type { Header } from '#contract/models.ts'
import type { ExportedAttempt, ExportedDelivery } from '#engine/event-logs/items.ts'
import {
  createRedactor,
  type Redactor,
  type RedactorOptions,
} from '#engine/event-logs/redact/redactor.ts'
import { untouched } from './event-log/sample-item.ts'

export const logKey = Buffer.alloc(32, 7)

export function redactorWith(options: Partial<RedactorOptions> = {}): Redactor {
  return createRedactor({
    known: [],
    handles: [],
    customHeaders: [],
    rules: [],
    key: logKey,
    ...options,
  })
}

type Fields = ExportedDelivery['fields']

export function exported(
  parts: {
    body?: string | Uint8Array
    headers?: readonly Header[]
    fields?: Partial<Fields>
    attempts?: ExportedAttempt[]
  } = {},
): ExportedDelivery {
  const body = typeof parts.body === 'string' ? Buffer.from(parts.body) : parts.body
  const bytes = body ?? Buffer.from('{}')
  const fields: Fields = {
    id: 1,
    receivedAt: 1_763_760_824_123,
    method: 'POST',
    path: '/hooks/main',
    endpointId: 1,
    type: 'ORDER_PLACED',
    title: 'Order A-17 placed',
    target: '550e8400-e29b-41d4-a716-446655440000',
    locationName: 'Garden',
    createdAt: 1_763_760_824_000,
    verdict: 'valid',
    findings: [],
    status: 200,
    responseMs: 1.5,
    bytes: bytes.byteLength,
    sha256: 'ab'.repeat(32),
    arrival: 'complete',
    ...untouched,
    headers: [...(parts.headers ?? [])],
    trailers: [],
    reason: null,
    endpointName: 'Main',
    brand: 'Service',
    secretName: 'current',
    note: '',
    bodyRedacted: false,
    notForwarded: [],
    ...parts.fields,
  }
  return { fields, body: bytes, omitted: null, attempts: parts.attempts ?? [] }
}

export function redactDelivery(redactor: Redactor, delivery: ExportedDelivery): ExportedDelivery {
  return redactor.item({ kind: 'delivery', delivery }).delivery
}

export function redactedBody(
  body: string | Uint8Array,
  options: Partial<RedactorOptions> = {},
  headers: readonly Header[] = [],
): string {
  return Buffer.from(
    redactDelivery(redactorWith(options), exported({ body, headers })).body,
  ).toString('utf8')
}

export function redactedText(text: string, options: Partial<RedactorOptions> = {}): string {
  return redactDelivery(redactorWith(options), exported({ fields: { note: text } })).fields.note
}

/** Removes the distinguishing part of pseudonyms: `‹email›`. */
export function plainly(text: string): string {
  return text.replaceAll(/redacted-([a-z-]+?)-[a-z2-7]{12}/g, '‹$1›')
}
