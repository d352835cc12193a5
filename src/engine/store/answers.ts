import type { DeliverySummary } from '#contract/models.ts'
import type { AnsweredRecord, AnswersRecord } from '../capture/journal-format.ts'
import { readByIds } from './deliveries.ts'
import { prepare, type Db } from './driver.ts'

/** Notes how deliveries that are stored already were answered. Inside the transaction of their journal records. */
export interface Answers {
  /** Deliveries of a group, from its first one to `to`, as they are then. */
  group(answers: AnswersRecord, to: number): DeliverySummary[]
  /** The delivery may be deleted by now; then there is nothing to note it on. */
  late(answered: AnsweredRecord): void
}

export function createAnswers(db: Db): Answers {
  const saveAnswer = prepare<[number, number, number]>(
    db,
    'UPDATE delivery SET answered_us = ? - received_us WHERE id BETWEEN ? AND ? AND status IS NOT NULL',
  )
  // Where there was no status to be answered, what decided that stands.
  const saveLost = prepare<[number]>(
    db,
    `UPDATE delivery SET answered_us = NULL, status = NULL, answered_by = CASE WHEN status IS NULL THEN answered_by END
     WHERE id = ?`,
  )
  const saveLate = prepare<[number | null, number | null, string | null, number]>(
    db,
    'UPDATE delivery SET answered_us = ? - received_us, status = ?, answered_by = ? WHERE id = ?',
  )
  const saveReason = prepare<[string, number]>(
    db,
    'UPDATE delivery_content SET reason = ? WHERE id = ?',
  )
  return {
    group: (answers, to) => {
      saveAnswer.run(answers.atUs, answers.from, to)
      for (const id of answers.lost) if (id <= to) saveLost.run(id)
      const count = to - answers.from + 1
      return readByIds(
        db,
        Array.from({ length: count }, (_, index) => answers.from + index),
      )
    },
    late: ({ id, atUs, status, answeredBy, reason }) => {
      saveLate.run(status === null ? null : atUs, status, answeredBy, id)
      if (reason !== null) saveReason.run(reason, id)
    },
  }
}
