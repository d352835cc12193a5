import type { AttemptFields } from '#engine/sending/store/attempt-rows.ts'
import { recordText, type StoredRecord } from '#engine/sending/store/attempt-record.ts'

/** Time of the first attempt of a test, in milliseconds since the epoch. */
export const firstAttemptMs = Date.parse('2026-03-15T09:00:00.000Z')

/** A re-sent delivery with a 200 response, unless overridden. */
export function attempted(overrides: Partial<AttemptFields & StoredRecord> = {}): AttemptFields {
  const status = overrides.status === undefined ? 200 : overrides.status
  const {
    request,
    response,
    timings,
    remoteAddress,
    reusedConnection,
    tlsVerified,
    notes,
    ...fields
  } = overrides
  return {
    deliveryId: 1,
    draftId: null,
    jobId: null,
    forwardId: null,
    kind: 'resend',
    sentAt: firstAttemptMs,
    method: 'POST',
    url: 'http://127.0.0.1:3000/in',
    status,
    error: null,
    durationMs: 12.5,
    edited: false,
    bodyEdited: false,
    signing: 'kept',
    secretName: null,
    tryNumber: 1,
    requestBytes: 24,
    responseBytes: 0,
    record: recordText({
      request: request ?? {
        target: '/in',
        headers: [['Host', '127.0.0.1:3000']],
        trailers: [],
        sha256: '0'.repeat(64),
      },
      response: response === undefined ? answeredWith(status) : response,
      timings:
        timings === undefined
          ? { dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 2, totalMs: 12.5 }
          : timings,
      remoteAddress: remoteAddress === undefined ? '127.0.0.1:3000' : remoteAddress,
      reusedConnection: reusedConnection ?? false,
      tlsVerified: tlsVerified ?? null,
      notes: notes ?? [],
    }),
    requestBody: null,
    answerBody: null,
    position: null,
    ...fields,
  }
}

function answeredWith(status: number | null): StoredRecord['response'] {
  if (status === null) return null
  return { status, statusText: 'OK', httpVersion: '1.1', headers: [], storedBytes: 0 }
}

export function unanswered(overrides: Partial<AttemptFields & StoredRecord> = {}): AttemptFields {
  const error = { code: 'refused', message: 'Nothing listens at 127.0.0.1:3000.' } as const
  return attempted({ status: null, error, remoteAddress: null, timings: null, ...overrides })
}
