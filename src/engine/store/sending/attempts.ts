import type { AttemptSummary } from '#contract/sending.ts'
import { type Db, prepare } from '../driver.ts'
import type { SendWrites } from '../send-writes.ts'
import {
  type AttemptFields,
  type SettledItem,
  summaryFields,
  urlHash,
  went,
} from './attempt-rows.ts'
import { attemptLimits, createAttemptRetention } from './attempt-retention.ts'
import { isExpected } from '#contract/broken-signature.ts'

type Before = { id: number; status: number | null; error_code: string | null }
type Value = string | number | null

const inserted = `delivery_id, draft_id, job_id, forward_id, kind, at_ms, method, url, url_hash, status, error_code, error, took_ms, edited,
  body_edited, signing, secret_name, verdict, previous_id, try_number, request_bytes, answer_bytes, stored_bytes, record`

/** Stores attempts. `changed` hears of deliveries whose last attempt came out otherwise than the one before it. */
export function createRecord(
  db: Db,
  changed: (ids: readonly number[]) => void,
  limits = attemptLimits,
): SendWrites['record'] {
  const insert = prepare<Value[]>(
    db,
    `INSERT INTO attempt (${inserted}) VALUES (${inserted.replaceAll(/\w+/g, '?')})`,
  )
  const insertBody = prepare<[number, Uint8Array | null, Uint8Array | null]>(
    db,
    'INSERT INTO attempt_body (id, request, answer) VALUES (?, ?, ?)',
  )
  const sentOf = prepare<[number], { sent: number | null }>(
    db,
    'SELECT sent FROM delivery WHERE id = ?',
  )
  const saveSent = prepare<[number, number]>(db, 'UPDATE delivery SET sent = ? WHERE id = ?')
  const count = prepare<[number, number]>(
    db,
    'UPDATE attempt_tally SET attempts = attempts + ?, bytes = bytes + ?',
  )
  const before = createBefore(db)
  const settling = createSettling(db)
  const makeRoom = createAttemptRetention(db, changed, limits)

  /** Within one transaction. */
  let came = { attempts: 0, bytes: 0 }

  const store = (fields: AttemptFields, previous: Before | undefined): AttemptSummary => {
    const fine = went(fields.status, fields.error?.code ?? null)
    const known = compared(fine, previous)
    const verdict = fields.signing === 'broken' ? null : known.verdict
    const summary = { ...summaryFields(fields), ...known, verdict }
    const { record, requestBody, answerBody } = fields
    const storedBytes =
      Buffer.byteLength(record) + (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0)
    const { lastInsertRowid } = insert.run(
      summary.deliveryId,
      summary.draftId,
      summary.jobId,
      summary.forwardId,
      summary.kind,
      summary.at,
      summary.method,
      summary.url,
      urlHash(summary.url),
      summary.status,
      summary.error?.code ?? null,
      summary.error?.message ?? null,
      summary.took,
      summary.edited ? 1 : 0,
      summary.bodyEdited ? 1 : 0,
      summary.signing,
      summary.secretName,
      summary.verdict,
      summary.previousId,
      summary.tryNumber,
      summary.requestBytes,
      summary.answerBytes,
      storedBytes,
      record,
    )
    came.attempts += 1
    came.bytes += storedBytes
    const id = Number(lastInsertRowid)
    if (requestBody ?? answerBody) insertBody.run(id, requestBody, answerBody)
    return { id, ...summary }
  }

  /** Null: its delivery is gone. */
  const storeOne = (fields: AttemptFields, touched: Set<number>): AttemptSummary | null => {
    const { deliveryId } = fields
    if (deliveryId === null) return store(fields, before(fields))
    const delivery = sentOf.get(deliveryId)
    if (!delivery) return null
    const sent = fields.error ? 0 : (fields.status ?? 0)
    if (delivery.sent !== sent) {
      saveSent.run(sent, deliveryId)
      touched.add(deliveryId)
    }
    // Never sent: nobody need look for an attempt before this one.
    return store(fields, delivery.sent === null ? undefined : before(fields))
  }

  const record = db.transaction(
    ({ attempts, settled }: Parameters<SendWrites['record']>[0], touched: Set<number>) => {
      came = { attempts: 0, bytes: 0 }
      const summaries = attempts.map((fields) => {
        const summary = storeOne(fields, touched)
        settling.byAttempt(fields, summary?.id ?? null)
        return summary
      })
      for (const item of settled) settling.without(item)
      settling.done()
      if (came.attempts > 0) count.run(came.attempts, came.bytes)
      return summaries
    },
  )

  return async (input) => {
    const touched = new Set<number>()
    const summaries = record(input, touched)
    changed([...touched])
    await makeRoom()
    return summaries
  }
}

/** Finds the attempt that one is compared with, the newest whose signature was not broken on purpose: of the same delivery to the same address, else of the same draft. */
function createBefore(db: Db): (fields: AttemptFields) => Before | undefined {
  const ofDelivery = prepare<[number, number, string], Before>(
    db,
    `SELECT id, status, error_code FROM attempt INDEXED BY attempt_of_delivery_to
     WHERE delivery_id = ? AND url_hash = ? AND url = ? AND signing <> 'broken' ORDER BY id DESC LIMIT 1`,
  )
  const ofDraft = prepare<[number, number, string], Before>(
    db,
    `SELECT id, status, error_code FROM attempt INDEXED BY attempt_of_draft_to
     WHERE draft_id = ? AND delivery_id IS NULL AND url_hash = ? AND url = ? AND signing <> 'broken' ORDER BY id DESC LIMIT 1`,
  )
  return ({ deliveryId, draftId, url }) => {
    if (deliveryId !== null) return ofDelivery.get(deliveryId, urlHash(url), url)
    return draftId === null ? undefined : ofDraft.get(draftId, urlHash(url), url)
  }
}

function compared(
  fine: boolean,
  previous: Before | undefined,
): Pick<AttemptSummary, 'verdict' | 'previousId'> {
  if (!previous) return { verdict: null, previousId: null }
  const same = went(previous.status, previous.error_code) === fine
  const verdict = same ? 'same' : fine ? 'fixed' : 'regressed'
  return { verdict, previousId: previous.id }
}

interface Settling {
  /** Where the attempt is that of a job's item: how that ended. It was sent, even where the attempt is not kept. */
  byAttempt(attempt: AttemptFields, attemptId: number | null): void
  without(item: SettledItem): void
  /** What was counted of jobs that had ended is not true any more. At the end of the transaction. */
  done(): void
}

/** Writes how items of jobs ended. */
function createSettling(db: Db): Settling {
  const settle = prepare<[string, number | null, number | null, string | null, number, number]>(
    db,
    'UPDATE send_job_item SET state = ?, attempt_id = ?, status = ?, error = ? WHERE job_id = ? AND position = ?',
  )
  const recount = prepare<[number]>(
    db,
    'UPDATE send_job SET summary = NULL WHERE id = ? AND summary IS NOT NULL',
  )
  const jobs = new Set<number>()
  return {
    byAttempt: (attempt, attemptId) => {
      const { jobId, position, status, error } = attempt
      if (jobId === null || position === null) return
      const state = isExpected(attempt) ? 'ok' : 'failed'
      settle.run(state, attemptId, status, error?.message ?? null, jobId, position)
      jobs.add(jobId)
    },
    without: ({ jobId, position, state, error }) => {
      settle.run(state, null, null, error, jobId, position)
      jobs.add(jobId)
    },
    done: () => {
      for (const id of jobs) recount.run(id)
      jobs.clear()
    },
  }
}
