import { hash } from 'node:crypto'
import type { DeliveryItem, ExportedAttempt, ExportedDelivery } from '#engine/event-logs/items.ts'

type Fields = ExportedDelivery['fields']

/** Received directly, and neither sent again nor annotated. */
export const untouched = {
  pinned: false,
  causes: [],
  tags: [],
  duplicateOf: null,
  sentBy: null,
  respondedBy: null,
  lastAttempt: null,
  httpVersion: '1.1',
  remoteAddress: '127.0.0.1',
  via: null,
  relay: null,
} satisfies Partial<Fields>

/** Time of the first delivery, in milliseconds since the epoch. */
const firstAt = Date.UTC(2026, 2, 14, 21, 9)

export function sampleItem(
  id: number,
  body: string | Uint8Array,
  fields: Partial<Fields> = {},
  more: { omitted?: string; attempts?: readonly ExportedAttempt[] } = {},
): DeliveryItem {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return {
    kind: 'delivery',
    delivery: {
      fields: {
        id,
        receivedAt: firstAt + id * 1000 + 0.125,
        method: 'POST',
        path: '/hooks/main',
        endpointId: 1,
        type: 'ORDER_PLACED',
        title: `T4 · Order A-${id}`,
        facts: null,
        target: '0b5f3a52-7b1f-4f7a-8f1e-6a1f6f6f0001',
        locationName: 'Harbour',
        createdAt: firstAt + id * 1000 - 200,
        verdict: 'valid',
        findings: [],
        status: 200,
        responseMs: 1.5,
        bytes: bytes.byteLength,
        sha256: hash('sha256', bytes, 'hex'),
        arrival: 'complete',
        ...untouched,
        headers: [
          ['Host', '127.0.0.1:4780'],
          ['Content-Type', 'application/json'],
          ['Content-Length', String(bytes.byteLength)],
          ['X-Service-Event-Type', 'ORDER_PLACED'],
        ],
        trailers: [],
        reason: null,
        endpointName: 'Main',
        brand: 'Service',
        secretName: 'current',
        note: '',
        bodyRedacted: false,
        notForwarded: [],
        ...fields,
      },
      body: bytes,
      omitted: more.omitted ?? null,
      attempts: more.attempts ?? [],
    },
  }
}

export function sampleAttempt(
  id: number,
  fields: Partial<ExportedAttempt['fields']> = {},
  bodies: Partial<Pick<ExportedAttempt, 'requestBody' | 'answerBody'>> = {},
): ExportedAttempt {
  return {
    fields: {
      id,
      deliveryId: 1,
      draftId: null,
      jobId: null,
      forwardId: null,
      kind: 'resend',
      sentAt: firstAt + 60_000 + id,
      method: 'POST',
      url: 'http://127.0.0.1:3000/webhooks?from=tabscope',
      status: 200,
      error: null,
      durationMs: 12.5,
      edited: false,
      bodyEdited: false,
      signing: 'kept',
      secretName: null,
      comparison: null,
      previousAttemptId: null,
      tryNumber: 1,
      requestBytes: 10,
      responseBytes: 2,
      request: {
        target: '/webhooks?from=tabscope',
        headers: [
          ['Host', '127.0.0.1:3000'],
          ['Content-Type', 'application/json'],
        ],
        trailers: [],
        sha256: 'ab'.repeat(32),
      },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: '1.1',
        headers: [['Content-Type', 'text/plain']],
        storedBytes: 2,
      },
      timings: { dnsMs: 0.5, connectMs: 1, tlsMs: 2, firstByteMs: 4, totalMs: 12 },
      remoteAddress: '127.0.0.1:3000',
      reusedConnection: false,
      tlsVerified: null,
      notes: [],
      ...fields,
    },
    requestBody: bodies.requestBody ?? null,
    answerBody: bodies.answerBody ?? Buffer.from('ok'),
  }
}
