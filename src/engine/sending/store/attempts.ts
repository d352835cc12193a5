import type { ParsedInput } from '#contract/calls.ts'
import type { AttemptSummary, Attempt } from '#contract/sending.ts'
import {
  type Db,
  insertInto,
  insertLike,
  prepare,
  type NamedValues,
} from '../../platform/sqlite.ts'
import type { AttemptGroup, SendWrites } from '../messages.ts'
import {
  type AttemptFields,
  type SettledItem,
  urlHash,
  isSuccess,
  attemptColumns,
  newAttemptRow,
  toAttemptSummary,
  type AttemptRow,
} from './attempt-rows.ts'
import { isExpected } from '#contract/broken-signature.ts'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { decodeBody } from '../../payload/decode-body.ts'
import { readRecord } from './attempt-record.ts'
import { createLogExtrasReader } from '../../deliveries/log-extras.ts'
import {
  causesOf,
  countCauses,
  countUnlessDamaged,
  createCounting,
  deliveryKeySql,
  type CountedAttempt,
  type DeliveryKey,
} from '../../deliveries/health/counts.ts'

export interface AttemptLimits {
  readonly attempts: number
  readonly bytes: number
}

export const attemptLimits: AttemptLimits = { attempts: 100_000, bytes: 512 * 1024 * 1024 }

const stepRows = 64

interface Oldest {
  readonly id: number
  readonly delivery_id: number | null
  readonly stored_bytes: number
}

/**
 * Deletes the oldest attempts beyond the limits in small steps that yield in between, but never the newest. `changed` is called with deliveries that
 * have no attempts left.
 */
function createAttemptRetention(
  db: Db,
  changed: (ids: readonly number[]) => void,
  limits: AttemptLimits,
): () => Promise<void> {
  const tally = prepare<[], AttemptLimits>(db, 'SELECT attempts, bytes FROM attempt_tally')
  const oldest = prepare<[number], Oldest>(
    db,
    `SELECT id, delivery_id, stored_bytes FROM attempt
     WHERE id < (SELECT max(id) FROM attempt) ORDER BY id LIMIT ?`,
  )
  const remove = prepare<[number]>(db, 'DELETE FROM attempt WHERE id = ?')
  const clearSent = prepare<[number]>(
    db,
    `UPDATE delivery SET sent = NULL
     WHERE id = ? AND NOT EXISTS (SELECT 1 FROM attempt WHERE delivery_id = delivery.id)`,
  )

  const step = db.transaction((): boolean => {
    const used = tally.get()
    let rows = (used?.attempts ?? 0) - limits.attempts
    let bytes = (used?.bytes ?? 0) - limits.bytes
    if (rows <= 0 && bytes <= 0) return false
    const deliveries = new Set<number>()
    const candidates = oldest.all(stepRows)
    for (const { id, delivery_id, stored_bytes } of candidates) {
      if (rows <= 0 && bytes <= 0) break
      remove.run(id)
      if (delivery_id !== null) deliveries.add(delivery_id)
      rows -= 1
      bytes -= stored_bytes
    }
    changed([...deliveries].filter((id) => clearSent.run(id).changes > 0))
    return candidates.length > 0 && (rows > 0 || bytes > 0)
  })

  return async () => {
    while (db.open && step()) await yieldToOthers()
  }
}

type DeliveryRow = DeliveryKey & {
  readonly sent: number | null
  readonly causes: string | null
}

type Before = { id: number; status: number | null; error_code: string | null }

/** `changed` is called with deliveries whose last attempt has a different result than the one before. */
export function createRecord(
  db: Db,
  changed: (ids: readonly number[]) => void,
  limits = attemptLimits,
): SendWrites['record'] {
  const attempts = new AttemptWriter(db)
  const deleteOldest = createAttemptRetention(db, changed, limits)
  return async (group) => {
    const { summaries, touched } = countUnlessDamaged((counts) => attempts.record(group, counts))
    changed([...touched])
    await deleteOldest()
    return summaries
  }
}

interface Recorded {
  readonly summaries: (AttemptSummary | null)[]
  readonly counted: (readonly [CountedAttempt, DeliveryKey])[]
  /** Deliveries whose last attempt has another result. */
  readonly touched: Set<number>
}

class AttemptWriter {
  /** In one transaction. */
  readonly record: (group: AttemptGroup, counts: boolean) => Recorded
  readonly #db: Db
  readonly #insert
  readonly #insertBody
  readonly #deliveryOf
  readonly #saveSent
  readonly #before: (fields: AttemptFields) => Before | undefined

  constructor(db: Db) {
    this.#db = db
    this.#insert = insertLike(db, 'attempt')
    this.#insertBody = insertInto(db, 'attempt_body', ['id', 'request', 'response'])
    this.#deliveryOf = prepare<[number], DeliveryRow>(
      db,
      `SELECT sent, CASE verdict WHEN 'valid' THEN causes END AS causes, ${deliveryKeySql} FROM delivery WHERE id = ?`,
    )
    this.#saveSent = prepare<[number, number]>(
      db,
      // Causes of a valid delivery are about this response.
      `UPDATE delivery SET sent = ?, causes = CASE verdict WHEN 'valid' THEN NULL ELSE causes END WHERE id = ?`,
    )
    this.#before = createBefore(db)
    const settling = createSettling(db)
    const counting = createCounting(db)
    const skip = prepare<[NamedValues]>(
      db,
      `INSERT OR REPLACE INTO forward_skip (delivery_id, forward_id, url, reason)
       SELECT id, $forwardId, $url, $reason FROM delivery WHERE id = $deliveryId`,
    )
    const count = prepare<[number, number]>(
      db,
      'UPDATE attempt_tally SET attempts = attempts + ?, bytes = bytes + ?',
    )
    this.record = db.transaction(({ attempts, settled, skips }: AttemptGroup, counts: boolean) => {
      const recorded: Recorded = { summaries: [], counted: [], touched: new Set() }
      const added = { attempts: 0, bytes: 0 }
      for (const fields of attempts) {
        const summary = this.#record(fields, recorded, counts)
        recorded.summaries.push(summary)
        settling.byAttempt(fields, summary?.id ?? null)
        if (!summary) continue
        added.attempts += 1
        added.bytes += storedBytes(fields)
      }
      for (const item of settled) settling.without(item)
      settling.done()
      for (const each of skips) skip.run({ ...each })
      if (added.attempts > 0) count.run(added.attempts, added.bytes)
      if (counts && recorded.counted.length > 0) counting.attempts(recorded.counted)
      return recorded
    })
  }

  /** Null: its delivery was deleted. */
  #record(
    fields: AttemptFields,
    { counted, touched }: Recorded,
    counts: boolean,
  ): AttemptSummary | null {
    const { deliveryId } = fields
    if (deliveryId === null) return this.#store(fields, this.#before(fields))
    const delivery = this.#deliveryOf.get(deliveryId)
    if (!delivery) return null
    const status = fields.error ? null : fields.status
    const sent = status ?? 0
    if (delivery.sent !== sent || delivery.causes !== null) {
      if (counts) countCauses(this.#db, deliveryId, causesOf(delivery.causes), [])
      this.#saveSent.run(sent, deliveryId)
      touched.add(deliveryId)
    }
    if (fields.signing !== 'broken') counted.push([{ ...fields, status }, delivery])
    return this.#store(fields, delivery.sent === null ? undefined : this.#before(fields))
  }

  #store(fields: AttemptFields, previous: Before | undefined): AttemptSummary {
    const succeeded = isSuccess(fields.status, fields.error?.code ?? null)
    const { comparison, previousAttemptId } = compared(succeeded, previous)
    const { record, requestBody, answerBody, position: _, ...rest } = fields
    const summary = {
      ...rest,
      comparison: fields.signing === 'broken' ? null : comparison,
      previousAttemptId,
    }
    const row = newAttemptRow(summary, record, storedBytes(fields))
    const id = Number(this.#insert(row).lastInsertRowid)
    if (requestBody ?? answerBody) {
      this.#insertBody({ id, request: requestBody, response: answerBody })
    }
    return { id, ...summary }
  }
}

function storedBytes({ record, requestBody, answerBody }: AttemptFields): number {
  return Buffer.byteLength(record) + (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0)
}

/**
 * Finds the newest comparable attempt: to the same URL of the same delivery, or else of the same draft, without a deliberately broken signature. The
 * parameters are expressions, because SQLite compiles this query again for each new value of a plain parameter, which takes six times as long as the query.
 */
function createBefore(db: Db): (fields: AttemptFields) => Before | undefined {
  const ofDelivery = prepare<[number, number, string], Before>(
    db,
    `SELECT id, status, error_code FROM attempt INDEXED BY attempt_of_delivery_to
     WHERE delivery_id = ? + 0 AND url_hash = ? + 0 AND url = ? || '' AND signing <> 'broken' ORDER BY id DESC LIMIT 1`,
  )
  const ofDraft = prepare<[number, number, string], Before>(
    db,
    `SELECT id, status, error_code FROM attempt INDEXED BY attempt_of_draft_to
     WHERE draft_id = ? + 0 AND delivery_id IS NULL AND url_hash = ? + 0 AND url = ? || '' AND signing <> 'broken' ORDER BY id DESC LIMIT 1`,
  )
  return ({ deliveryId, draftId, url }) => {
    if (deliveryId !== null) return ofDelivery.get(deliveryId, urlHash(url), url)
    return draftId === null ? undefined : ofDraft.get(draftId, urlHash(url), url)
  }
}

function compared(
  succeeded: boolean,
  previous: Before | undefined,
): Pick<AttemptSummary, 'comparison' | 'previousAttemptId'> {
  if (!previous) return { comparison: null, previousAttemptId: null }
  const same = isSuccess(previous.status, previous.error_code) === succeeded
  const comparison = same ? 'same' : succeeded ? 'fixed' : 'regressed'
  return { comparison, previousAttemptId: previous.id }
}

function createSettling(db: Db) {
  const settle = prepare<[NamedValues]>(
    db,
    `UPDATE send_job_item SET state = $state, attempt_id = $attemptId, status = $status, error = $error
     WHERE job_id = $jobId AND position = $position`,
  )
  const recount = prepare<[number]>(
    db,
    'UPDATE send_job SET summary = NULL WHERE id = ? AND summary IS NOT NULL',
  )
  const jobs = new Set<number>()
  return {
    /** The item was sent even if the attempt is not stored. */
    byAttempt: (attempt: AttemptFields, attemptId: number | null) => {
      const { jobId, position, status, error } = attempt
      if (jobId === null || position === null) return
      const state = isExpected(attempt) ? 'ok' : 'failed'
      settle.run({ state, attemptId, status, error: error?.message ?? null, jobId, position })
      jobs.add(jobId)
    },
    without: ({ jobId, position, state, error }: SettledItem) => {
      settle.run({ state, attemptId: null, status: null, error, jobId, position })
      jobs.add(jobId)
    },
    /** Call at the end of the transaction. */
    done: () => {
      for (const id of jobs) recount.run(id)
      jobs.clear()
    },
  }
}

export type AttemptsInput = Omit<ParsedInput<'attempts.list'>, 'log'>

export interface AttemptsPage {
  readonly rows: AttemptSummary[]
  readonly total: number
  readonly notForwarded: string[]
}

/** Newest first. Matches all of the given ids. */
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
    notForwarded:
      deliveryId === undefined
        ? []
        : (createLogExtrasReader(db)(deliveryId)?.notForwarded ??
          createSkipsReader(db)(deliveryId)),
  }
}

export function readAttempt(db: Db, id: number): Attempt | null {
  const row = prepare<[number], AttemptRow & { record: string }>(
    db,
    `SELECT ${attemptColumns}, record FROM attempt WHERE id = ?`,
  ).get(id)
  if (!row) return null
  const { record: json, ...columns } = row
  const summary = toAttemptSummary(columns)
  const record = readRecord(db, json, summary)
  return record && { ...summary, ...record }
}

/** Null if the delivery was never sent manually. */
export function readLastUrl(db: Db, deliveryId: number): string | null {
  const row = prepare<[number], { url: string }>(
    db,
    `SELECT url FROM attempt WHERE delivery_id = ? + 0 AND kind IN ('resend', 'compose') ORDER BY id DESC LIMIT 1`,
  ).get(deliveryId)
  return row?.url ?? null
}

export type AttemptBodyInput = Omit<ParsedInput<'attempts.body'>, 'log'>

type Slice = { bytes: Uint8Array; size: number }

/**
 * A request that was sent as captured has the body of its delivery. A body that was not stored is empty. Null if there is no such attempt. Throws
 * `bad_input` if the body cannot be decoded.
 */
export function readAttemptBody(db: Db, input: AttemptBodyInput): Slice | null {
  const { id, which, offset, length } = input
  if (!input.decoded) return sliceOf(db, id, which, offset, length)
  const attempt = readAttempt(db, id)
  const whole = sliceOf(db, id, which, 0, Number.MAX_SAFE_INTEGER)
  if (!attempt || !whole) return null
  const headers = which === 'request' ? attempt.request.headers : (attempt.response?.headers ?? [])
  const bytes = whole.size === 0 ? whole.bytes : decodeBody(whole.bytes, headers)
  return { bytes: bytes.subarray(offset, offset + length), size: bytes.byteLength }
}

const bodies = {
  request:
    'coalesce((SELECT request FROM attempt_body WHERE id = attempt.id), (SELECT body FROM delivery_content WHERE id = delivery_id))',
  response: '(SELECT response FROM attempt_body WHERE id = attempt.id)',
} as const

/** SQLite returns NULL for an empty body. */
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

/** Of a delivery: where it was not forwarded and why. Omits targets that it was sent to at another time. */
export function createSkipsReader(db: Db): (deliveryId: number) => string[] {
  const select = prepare<[{ id: number }], { url: string; reason: string }>(
    db,
    `SELECT url, reason FROM forward_skip WHERE delivery_id = $id
       AND NOT EXISTS (SELECT 1 FROM attempt WHERE delivery_id = $id AND forward_id = forward_skip.forward_id)`,
  )
  return (id) => select.all({ id }).map(({ url, reason }) => `Not forwarded to ${url}: ${reason}`)
}
