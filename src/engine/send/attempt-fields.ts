import { hash } from 'node:crypto'
import type { AttemptSummary } from '#contract/sending.ts'
import type { AttemptFields } from '../store/send-writes.ts'
import type { Prepared } from './prepare/prepare.ts'
import type { WireAnswer, WireOutcome } from './wire/wire.ts'

/** What an attempt was made for. */
export interface AttemptOf {
  readonly kind: AttemptSummary['kind']
  readonly deliveryId: number | null
  readonly draftId?: number
  readonly jobId?: number
  readonly position?: number
  readonly forwardId?: number
  /** Milliseconds since the epoch, when it began. */
  readonly at: number
  readonly tryNumber?: number
  /** Beside those of the preparation. */
  readonly notes?: readonly string[]
}

/** What was sent and what came of it, as it is stored. */
export function attemptFields(
  { request, ...prepared }: Prepared,
  { answer, error, ...outcome }: WireOutcome,
  of: AttemptOf,
): AttemptFields {
  return {
    deliveryId: of.deliveryId,
    draftId: of.draftId ?? null,
    jobId: of.jobId ?? null,
    forwardId: of.forwardId ?? null,
    position: of.position ?? null,
    kind: of.kind,
    at: of.at,
    method: request.method,
    url: request.url.href,
    status: answer?.status ?? null,
    error,
    took: outcome.timings.total,
    edited: prepared.edited,
    bodyEdited: prepared.bodyEdited,
    signing: prepared.signing,
    secretName: prepared.secretName,
    tryNumber: of.tryNumber ?? 1,
    requestBytes: request.body.byteLength,
    answerBytes: answer?.bytes ?? 0,
    request: {
      target: request.target ?? request.url.pathname + request.url.search,
      headers: [...request.headers],
      trailers: [...request.trailers],
      sha256: hash('sha256', request.body, 'hex'),
    },
    answer: answer && {
      status: answer.status,
      statusText: answer.statusText,
      httpVersion: answer.httpVersion,
      headers: [...answer.headers],
      bytesKept: answer.body.byteLength,
    },
    timings: outcome.timings,
    remoteAddress: outcome.remoteAddress,
    reused: outcome.reused,
    tlsVerified: outcome.tlsVerified,
    notes: [
      ...prepared.notes,
      ...(outcome.tlsVerified === false ? ['The certificate was not looked at, by choice.'] : []),
      ...(answer ? notesOn(answer) : []),
      ...(of.notes ?? []),
    ],
    // Only a delivery keeps its body elsewhere.
    requestBody: prepared.bodyEdited || of.deliveryId === null ? request.body : null,
    // Most answers say nothing: that needs no row of its own.
    answerBody: answer && answer.body.byteLength > 0 ? answer.body : null,
  }
}

function notesOn({ status, headers, body, bytes }: WireAnswer): string[] {
  const notes: string[] = []
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (status >= 300 && status < 400 && location !== undefined) {
    notes.push(`It was answered with a redirect to ${location}, which is not followed.`)
  }
  if (bytes > body.byteLength) {
    notes.push(
      `Of the answer's body the first ${body.byteLength.toLocaleString('en')} bytes are kept.`,
    )
  }
  return notes
}
