import { prepare, type Db } from '../../platform/sqlite.ts'
import { recordText } from '../../sending/store/attempt-record.ts'
import { urlHash } from '../../sending/store/attempt-rows.ts'
import type { ExportedAttempt } from '../items.ts'

type Value = string | number | null

const columns = `id, delivery_id, draft_id, job_id, forward_id, kind, at_ms, method, url, url_hash, status, error_code, error, took_ms, edited,
  body_edited, signing, secret_name, verdict, previous_id, try_number, request_bytes, answer_bytes, stored_bytes, record`

/** Creates a function that stores attempts unchanged. It skips an attempt whose id already exists. */
export function createPutAttempt(db: Db): (deliveryId: number, attempt: ExportedAttempt) => void {
  const insert = prepare<Value[]>(
    db,
    `INSERT OR IGNORE INTO attempt (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`,
  )
  const insertBody = prepare<[number, Uint8Array | null, Uint8Array | null]>(
    db,
    'INSERT INTO attempt_body (id, request, answer) VALUES (?, ?, ?)',
  )
  const updateTally = prepare<[number]>(
    db,
    'UPDATE attempt_tally SET attempts = attempts + 1, bytes = bytes + ?',
  )
  return (deliveryId, { fields, requestBody, answerBody }) => {
    const { request, answer, timings, remoteAddress, reused, tlsVerified, notes } = fields
    // The record is stored in full. Live attempts only store what differs from the delivery, but after redaction that cannot be determined.
    const record = recordText({
      request,
      answer,
      timings,
      remoteAddress,
      reused,
      tlsVerified,
      notes,
    })
    const bytes =
      Buffer.byteLength(record) + (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0)
    const { changes } = insert.run(
      fields.id,
      deliveryId,
      fields.draftId,
      fields.jobId,
      fields.forwardId,
      fields.kind,
      fields.at,
      fields.method,
      fields.url,
      urlHash(fields.url),
      fields.status,
      fields.error?.code ?? null,
      fields.error?.message ?? null,
      fields.took,
      fields.edited ? 1 : 0,
      fields.bodyEdited ? 1 : 0,
      fields.signing,
      fields.secretName,
      fields.verdict,
      fields.previousId,
      fields.tryNumber,
      fields.requestBytes,
      fields.answerBytes,
      bytes,
      record,
    )
    if (changes === 0) return
    updateTally.run(bytes)
    if (requestBody ?? answerBody) insertBody.run(fields.id, requestBody, answerBody)
  }
}
