import type { AttemptFields } from '#engine/store/send-writes.ts'

/** When the first attempt of a test is made, in milliseconds since the epoch. */
export const firstAttemptMs = Date.parse('2026-03-15T09:00:00.000Z')

/** A delivery that was sent again and answered with 200, but for what is told. */
export function attempted(told: Partial<AttemptFields> = {}): AttemptFields {
  const status = told.status === undefined ? 200 : told.status
  return {
    deliveryId: 1,
    draftId: null,
    jobId: null,
    forwardId: null,
    kind: 'resend',
    at: firstAttemptMs,
    method: 'POST',
    url: 'http://127.0.0.1:3000/in',
    status,
    error: null,
    took: 12.5,
    edited: false,
    bodyEdited: false,
    signing: 'kept',
    secretName: null,
    tryNumber: 1,
    requestBytes: 24,
    answerBytes: 0,
    request: {
      target: '/in',
      headers: [['Host', '127.0.0.1:3000']],
      trailers: [],
      sha256: '0'.repeat(64),
    },
    answer:
      status === null
        ? null
        : { status, statusText: 'OK', httpVersion: '1.1', headers: [], bytesKept: 0 },
    timings: { dns: null, connect: 1, tls: null, firstByte: 2, total: 12.5 },
    remoteAddress: '127.0.0.1:3000',
    reused: false,
    tlsVerified: null,
    notes: [],
    requestBody: null,
    answerBody: null,
    position: null,
    ...told,
  }
}

/** One that got no answer. */
export function unanswered(told: Partial<AttemptFields> = {}): AttemptFields {
  const error = { code: 'refused', message: 'Nothing listens at 127.0.0.1:3000.' } as const
  return attempted({ status: null, error, remoteAddress: null, timings: null, ...told })
}
