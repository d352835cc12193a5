import type { Attempt, AttemptSummary } from '#contract/sending.ts'
import { decodeBody } from '../decode-body.ts'
import { prepare, type Db } from '../driver.ts'
import { readRecord } from './attempt-record.ts'
import { attemptColumns, toAttemptSummary, type AttemptRow } from './attempt-rows.ts'
import { readSkipsOf } from './skips.ts'

export interface AttemptsInput {
  readonly deliveryId?: number | undefined
  readonly draftId?: number | undefined
  readonly jobId?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
}

export interface AttemptsPage {
  readonly rows: AttemptSummary[]
  readonly total: number
  readonly notForwarded: string[]
}

/** Newest first. Where several are named each must be so. */
export function readAttempts(db: Db, input: AttemptsInput): AttemptsPage {
  const { deliveryId, draftId, jobId, before, limit } = input
  const named = [
    { column: 'delivery_id', id: deliveryId },
    { column: 'draft_id', id: draftId },
    { column: 'job_id', id: jobId },
  ].flatMap(({ column, id }) => (id === undefined ? [] : [{ column, id }]))
  const ids = named.map(({ id }) => id)
  const where = named.map(({ column }) => `${column} = ?`).join(' AND ')
  const rows = prepare<number[], AttemptRow>(
    db,
    `SELECT ${attemptColumns} FROM attempt WHERE ${where === '' ? '' : `${where} AND `}id < ? ORDER BY id DESC LIMIT ?`,
  ).all(...ids, before ?? Number.MAX_SAFE_INTEGER, limit)
  const total = prepare<number[], { n: number }>(
    db,
    where === ''
      ? 'SELECT attempts AS n FROM attempt_tally'
      : `SELECT count(*) AS n FROM attempt WHERE ${where}`,
  ).get(...ids)
  return {
    rows: rows.map(toAttemptSummary),
    total: total?.n ?? 0,
    notForwarded: deliveryId === undefined ? [] : readSkipsOf(db, deliveryId),
  }
}

export function readAttempt(db: Db, id: number): Attempt | null {
  const row = prepare<[number], AttemptRow & { record: string }>(
    db,
    `SELECT ${attemptColumns}, record FROM attempt WHERE id = ?`,
  ).get(id)
  if (!row) return null
  const summary = toAttemptSummary(row)
  const record = readRecord(db, row.record, summary)
  return record && { ...summary, ...record }
}

/** Where a delivery was last sent by hand; null: it was not. */
export function readLastUrl(db: Db, deliveryId: number): string | null {
  const row = prepare<[number], { url: string }>(
    db,
    `SELECT url FROM attempt WHERE delivery_id = ? AND kind IN ('resend', 'compose') ORDER BY id DESC LIMIT 1`,
  ).get(deliveryId)
  return row?.url ?? null
}

export interface AttemptBodyInput {
  readonly id: number
  readonly which: 'request' | 'answer'
  readonly offset: number
  readonly length: number
  readonly decoded: boolean
}

type Slice = { bytes: Uint8Array; size: number }

/**
 * A body that was sent as captured is that of its delivery; one that is not kept is empty. Null: there is no such attempt. Throws
 * `bad_input` when it cannot be decoded.
 */
export async function readAttemptBody(db: Db, input: AttemptBodyInput): Promise<Slice | null> {
  const { id, which, offset, length } = input
  if (!input.decoded) return sliceOf(db, id, which, offset, length)
  const attempt = readAttempt(db, id)
  const whole = sliceOf(db, id, which, 0, Number.MAX_SAFE_INTEGER)
  if (!attempt || !whole) return null
  const headers = which === 'request' ? attempt.request.headers : (attempt.answer?.headers ?? [])
  const bytes = whole.size === 0 ? whole.bytes : await decodeBody(whole.bytes, headers)
  return { bytes: bytes.subarray(offset, offset + length), size: bytes.byteLength }
}

/** What stands for the body of each kind, in the row of its attempt. */
const bodies = {
  request:
    'coalesce((SELECT request FROM attempt_body WHERE id = attempt.id), (SELECT body FROM delivery_content WHERE id = delivery_id))',
  answer: '(SELECT answer FROM attempt_body WHERE id = attempt.id)',
} as const

/** Of nothing at all SQLite makes a NULL. */
function sliceOf(
  db: Db,
  id: number,
  which: AttemptBodyInput['which'],
  offset: number,
  length: number,
): Slice | null {
  const row = prepare<[number, number, number], Slice>(
    db,
    `SELECT coalesce(substr(body, ?, ?), x'') AS bytes, coalesce(length(body), 0) AS size
     FROM (SELECT ${bodies[which]} AS body FROM attempt WHERE id = ?)`,
  ).get(offset + 1, length, id)
  return row ? { bytes: new Uint8Array(row.bytes), size: row.size } : null
}
