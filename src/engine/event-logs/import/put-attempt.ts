import { insertInto, prepare, type Db } from '../../platform/sqlite.ts'
import { recordText } from '../../sending/store/attempt-record.ts'
import { newAttemptColumns, newAttemptRow } from '../../sending/store/attempt-rows.ts'
import type { ExportedAttempt } from '../items.ts'

/** Creates a function that stores attempts unchanged. It skips an attempt whose id already exists. */
export function createPutAttempt(db: Db): (deliveryId: number, attempt: ExportedAttempt) => void {
  const insert = insertInto(db, 'attempt', ['id', ...newAttemptColumns], 'IGNORE')
  const insertBody = insertInto(db, 'attempt_body', ['id', 'request', 'answer'])
  const updateTally = prepare<[number]>(
    db,
    'UPDATE attempt_tally SET attempts = attempts + 1, bytes = bytes + ?',
  )
  return (deliveryId, { fields, requestBody, answerBody }) => {
    const { id, request, answer, timings, remoteAddress, reused, tlsVerified, notes } = fields
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
    const { changes } = insert({ id, ...newAttemptRow({ ...fields, deliveryId }, record, bytes) })
    if (changes === 0) return
    updateTally.run(bytes)
    if (requestBody ?? answerBody) insertBody({ id, request: requestBody, answer: answerBody })
  }
}
