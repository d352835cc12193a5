import { hash } from 'node:crypto'
import type { AttemptError, AttemptSummary } from '#contract/sending.ts'
import type { SqlValue } from '../../platform/sqlite.ts'

export interface SettledItem {
  readonly jobId: number
  readonly position: number
  readonly state: 'skipped' | 'failed'
  readonly error: string
}

/** `comparison` and `previousAttemptId` are determined when the attempt is stored. */
export interface AttemptFields extends Omit<
  AttemptSummary,
  'id' | 'comparison' | 'previousAttemptId'
> {
  readonly record: string
  /** Null: the unchanged body of its delivery. */
  readonly requestBody: Uint8Array | null
  readonly answerBody: Uint8Array | null
  readonly position: number | null
}

export interface AttemptRow {
  readonly id: number
  readonly delivery_id: number | null
  readonly draft_id: number | null
  readonly job_id: number | null
  readonly forward_id: number | null
  readonly kind: AttemptSummary['kind']
  readonly at_ms: number
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly error_code: AttemptError['code'] | null
  readonly error: string | null
  readonly took_ms: number
  readonly edited: number
  readonly body_edited: number
  readonly signing: AttemptSummary['signing']
  readonly secret_name: string | null
  readonly verdict: AttemptSummary['comparison']
  readonly previous_id: number | null
  readonly try_number: number
  readonly request_bytes: number
  readonly answer_bytes: number
}

/** `previous_id` is null if that attempt has been deleted. */
export const attemptColumns = `id, delivery_id, draft_id, job_id, forward_id, kind, at_ms, method, url, status, error_code, error, took_ms,
  edited, body_edited, signing, secret_name, verdict, (SELECT id FROM attempt AS before WHERE before.id = attempt.previous_id) AS previous_id,
  try_number, request_bytes, answer_bytes`

export const newAttemptColumns = [
  'delivery_id',
  'draft_id',
  'job_id',
  'forward_id',
  'kind',
  'at_ms',
  'method',
  'url',
  'url_hash',
  'status',
  'error_code',
  'error',
  'took_ms',
  'edited',
  'body_edited',
  'signing',
  'secret_name',
  'verdict',
  'previous_id',
  'try_number',
  'request_bytes',
  'answer_bytes',
  'stored_bytes',
  'record',
] as const

/** `record`: see `recordText`. `storedBytes`: the size of the record and the bodies. */
export function newAttemptRow(
  summary: Omit<AttemptSummary, 'id'>,
  record: string,
  storedBytes: number,
): Record<(typeof newAttemptColumns)[number], SqlValue> {
  return {
    delivery_id: summary.deliveryId,
    draft_id: summary.draftId,
    job_id: summary.jobId,
    forward_id: summary.forwardId,
    kind: summary.kind,
    at_ms: summary.sentAt,
    method: summary.method,
    url: summary.url,
    url_hash: urlHash(summary.url),
    status: summary.status,
    error_code: summary.error?.code ?? null,
    error: summary.error?.message ?? null,
    took_ms: summary.durationMs,
    edited: summary.edited ? 1 : 0,
    body_edited: summary.bodyEdited ? 1 : 0,
    signing: summary.signing,
    secret_name: summary.secretName,
    verdict: summary.comparison,
    previous_id: summary.previousAttemptId,
    try_number: summary.tryNumber,
    request_bytes: summary.requestBytes,
    answer_bytes: summary.responseBytes,
    stored_bytes: storedBytes,
    record,
  }
}

export function toAttemptSummary(row: AttemptRow): AttemptSummary {
  return {
    id: row.id,
    deliveryId: row.delivery_id,
    draftId: row.draft_id,
    jobId: row.job_id,
    forwardId: row.forward_id,
    kind: row.kind,
    sentAt: row.at_ms,
    method: row.method,
    url: row.url,
    status: row.status,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error ?? '' },
    durationMs: row.took_ms,
    edited: row.edited === 1,
    bodyEdited: row.body_edited === 1,
    signing: row.signing,
    secretName: row.secret_name,
    comparison: row.verdict,
    previousAttemptId: row.previous_id,
    tryNumber: row.try_number,
    requestBytes: row.request_bytes,
    responseBytes: row.answer_bytes,
  }
}

/** 2xx with a complete response. */
export function isSuccess(status: number | null, errorCode: string | null): boolean {
  return errorCode === null && status !== null && status >= 200 && status < 300
}

/** 52 bits: an integer that JavaScript and SQLite both represent exactly. */
const digits = 13

/** Finds attempts by URL. Callers must compare the URL too. */
export function urlHash(url: string): number {
  // Consecutive attempts often have the same URL.
  if (lastHash.url !== url) {
    lastHash = { url, hash: Number.parseInt(hash('sha256', url, 'hex').slice(0, digits), 16) }
  }
  return lastHash.hash
}

let lastHash = { url: '', hash: 0 }

export function summaryFields(
  fields: AttemptFields,
): Omit<AttemptSummary, 'id' | 'comparison' | 'previousAttemptId'> {
  return {
    deliveryId: fields.deliveryId,
    draftId: fields.draftId,
    jobId: fields.jobId,
    forwardId: fields.forwardId,
    kind: fields.kind,
    sentAt: fields.sentAt,
    method: fields.method,
    url: fields.url,
    status: fields.status,
    error: fields.error,
    durationMs: fields.durationMs,
    edited: fields.edited,
    bodyEdited: fields.bodyEdited,
    signing: fields.signing,
    secretName: fields.secretName,
    tryNumber: fields.tryNumber,
    requestBytes: fields.requestBytes,
    responseBytes: fields.responseBytes,
  }
}
