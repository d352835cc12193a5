import { hash } from 'node:crypto'
import type { Attempt, AttemptSummary } from '#contract/sending.ts'
import { formatCount } from '#shared/text/format.ts'
import type { AttemptFields } from './store/attempt-rows.ts'
import { recordText, type AttemptRecord } from './store/attempt-record.ts'
import type { Prepared } from './prepare/prepare.ts'
import type { WireOutcome } from './wire/exchange.ts'
import type { WireRequest } from './wire/request-bytes.ts'
import type { WireResponse } from './wire/response-reader.ts'

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

/** The request as it went out, with all of its head. */
export function requestOf({ request, sha256 }: Prepared): Attempt['request'] {
  return {
    target: targetOf(request),
    headers: [...request.headers],
    trailers: [...request.trailers],
    sha256: sha256 ?? hash('sha256', request.body, 'hex'),
  }
}

/** What came of it, but for the request. */
export function outcomeOf(
  prepared: Prepared,
  outcome: WireOutcome,
  of: Pick<AttemptOf, 'notes'>,
): Omit<AttemptRecord, 'request'> {
  const { answer, timings, remoteAddress, reused, tlsVerified } = outcome
  return {
    answer: answer && {
      status: answer.status,
      statusText: answer.statusText,
      httpVersion: answer.httpVersion,
      headers: [...answer.headers],
      bytesKept: answer.body.byteLength,
    },
    timings,
    remoteAddress,
    reused,
    tlsVerified,
    notes: [
      ...prepared.notes,
      ...(tlsVerified === false ? ['TLS verification was skipped.'] : []),
      ...(answer ? notesOn(answer) : []),
      ...(of.notes ?? []),
    ],
  }
}

/** What was sent and what came of it, as it is stored. */
export function attemptFields(
  prepared: Prepared,
  outcome: WireOutcome,
  of: AttemptOf,
): AttemptFields {
  const { request } = prepared
  const { answer, error, timings } = outcome
  const record = recordText({
    request: prepared.asStored ? { target: targetOf(request) } : requestOf(prepared),
    ...outcomeOf(prepared, outcome, of),
  })
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
    took: timings.total,
    edited: prepared.edited,
    bodyEdited: prepared.bodyEdited,
    signing: prepared.signing,
    secretName: prepared.secretName,
    tryNumber: of.tryNumber ?? 1,
    requestBytes: request.body.byteLength,
    answerBytes: answer?.bytes ?? 0,
    record,
    // Only a delivery keeps its body elsewhere.
    requestBody: prepared.bodyEdited || of.deliveryId === null ? request.body : null,
    // Most answers say nothing: that needs no row of its own.
    answerBody: answer && answer.body.byteLength > 0 ? answer.body : null,
  }
}

function targetOf({ target, url }: WireRequest): string {
  return target ?? url.pathname + url.search
}

function notesOn({ status, headers, body, bytes }: WireResponse): string[] {
  const notes: string[] = []
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (status >= 300 && status < 400 && location !== undefined) {
    notes.push(`It was answered with a redirect to ${location}, which is not followed.`)
  }
  if (bytes > body.byteLength) {
    notes.push(`Of the answer's body the first ${formatCount(body.byteLength)} bytes are kept.`)
  }
  return notes
}
