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

export interface AttemptRow extends Omit<AttemptSummary, 'error' | 'edited' | 'bodyEdited'> {
  readonly errorCode: AttemptError['code'] | null
  readonly error: string | null
  readonly edited: number
  readonly bodyEdited: number
  readonly failedScript: number | null
}

/** `previousAttemptId` is null if that attempt has been deleted. */
export const attemptColumns = `id, delivery_id AS deliveryId, draft_id AS draftId, job_id AS jobId, forward_id AS forwardId, kind,
  at_ms AS sentAt, method, url, status, error_code AS errorCode, error, took_ms AS durationMs, edited, body_edited AS bodyEdited,
  json_extract(record, '$.scriptFailed') AS failedScript,
  signing, secret_name AS secretName, verdict AS comparison,
  (SELECT id FROM attempt AS before WHERE before.id = attempt.previous_id) AS previousAttemptId,
  try_number AS tryNumber, request_bytes AS requestBytes, response_bytes AS responseBytes`

/** `record`: see `recordText`. `storedBytes`: the size of the record and the bodies. */
export function newAttemptRow(
  summary: Omit<AttemptSummary, 'id'>,
  record: string,
  storedBytes: number,
): Record<string, SqlValue> {
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
    response_bytes: summary.responseBytes,
    stored_bytes: storedBytes,
    record,
  }
}

export function toAttemptSummary({ errorCode, failedScript, ...row }: AttemptRow): AttemptSummary {
  return {
    ...row,
    ...(failedScript === 1 && { scriptFailed: true }),
    error: errorCode === null ? null : { code: errorCode, message: row.error ?? '' },
    edited: row.edited === 1,
    bodyEdited: row.bodyEdited === 1,
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
