import type { Delivery } from '#contract/models.ts'
import { prepare, type Db } from '../../store/driver.ts'
import { recordOf } from '../../store/sending/attempt-record.ts'
import {
  attemptColumns,
  toAttemptSummary,
  type AttemptRow,
} from '../../store/sending/attempt-rows.ts'
import type { ExportedAttempt } from '../items.ts'

type Row = AttemptRow & {
  readonly record: string
  readonly request_body: Uint8Array | null
  readonly answer_body: Uint8Array | null
}

export type AttemptsReader = (
  delivery: Pick<Delivery, 'id' | 'headers' | 'trailers' | 'sha256'>,
) => ExportedAttempt[]

/** Reads what was sent of a delivery, oldest first, with its bodies. The statement is made once. */
export function createAttemptsReader(db: Db): AttemptsReader {
  const select = prepare<[number], Row>(
    db,
    `SELECT ${attemptColumns}, record,
       (SELECT request FROM attempt_body WHERE attempt_body.id = attempt.id) AS request_body,
       (SELECT answer FROM attempt_body WHERE attempt_body.id = attempt.id) AS answer_body
     FROM attempt WHERE delivery_id = ? ORDER BY id`,
  )
  return (delivery) =>
    select.all(delivery.id).flatMap((row) => {
      const record = recordOf(row.record, row.url, () => delivery)
      return record === null
        ? []
        : [
            {
              fields: { ...toAttemptSummary(row), ...record },
              requestBody: row.request_body,
              answerBody: row.answer_body,
            },
          ]
    })
}
