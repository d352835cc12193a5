import type { DeliverySummary } from '#contract/models.ts'
import type {
  AnsweredRecord,
  AnswersRecord,
  CountedBy,
  JournaledDelivery,
  JournalRecord,
} from '../capture/journal-format.ts'
import { countUses } from '../endpoints/rules-store.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import { readByIds } from './store.ts'
import { createFindingKinds } from './finding-kinds.ts'
import { summaryOf } from './describe.ts'

/** What the store holds after a commit. */
export interface Tally {
  readonly position: number
  readonly lastId: number
  readonly deliveries: number
  /** Bytes of heads and bodies. */
  readonly bytes: number
}

export interface Ingested {
  /** What is new, in order of id. */
  readonly rows: DeliverySummary[]
  /** What was stored before, and is now known to be answered: large groups do not come in one piece, and some answers come late. */
  readonly answered: DeliverySummary[]
}

export interface Ingest {
  /**
   * Takes records of the journal in, in one transaction together with the position after them: so each delivery is
   * stored exactly once, whatever happens in between.
   */
  take(records: readonly JournalRecord[], position: number): Ingested
  /** Records a change of the tally by others (retention, clearing). */
  forget(deliveries: number, bytes: number): void
  /** Kinds of findings were deleted by others (clearing). */
  forgetKinds(): void
  tally(): Tally
}

/** Moves deliveries from the journal into the store. */
export function createIngest(db: Db): Ingest {
  const insertDelivery = prepare<(string | number | null)[]>(
    db,
    `INSERT INTO delivery (id, received_us, answered_us, method, path, endpoint_id, type, title, target, location_name,
       created_ms, verdict, findings, status, bytes, sha256, arrival, own, answered_by, via)
     VALUES (${Array.from({ length: 20 }, () => '?').join()})`,
  )
  const insertContent = prepare<(string | number | null | Uint8Array)[]>(
    db,
    `INSERT INTO delivery_content (id, http_version, remote_address, endpoint_name, brand, secret_name, reason, headers, trailers, body)
     VALUES (${Array.from({ length: 10 }, () => '?').join()})`,
  )
  const insertFinding = prepare<[number, number]>(
    db,
    'INSERT INTO delivery_finding (kind_id, delivery_id) VALUES (?, ?)',
  )
  const kinds = createFindingKinds(db)
  const saveProgress = prepare<[number, number, number, number]>(
    db,
    'UPDATE progress SET journal_position = ?, last_id = ?, deliveries = ?, bytes = ?',
  )
  const saved = createAnswers(db)
  let tally = readTally(db)

  const store = (delivery: JournaledDelivery, answers: AnswersRecord | null): DeliverySummary => {
    const { meta, headers, trailers, body } = delivery
    const [id, receivedUs, , , httpVersion, remote, , endpointName, brand, , reason] = meta
    const lost = answers?.lost.includes(id) ?? false
    const row = summaryOf(delivery, answers ? answers.atUs - receivedUs : null, lost)
    insertDelivery.run(
      id,
      receivedUs,
      row.answeredIn === null ? null : Math.round(row.answeredIn * 1000),
      row.method,
      row.path,
      row.endpointId,
      row.type,
      row.title,
      row.target,
      row.locationName,
      row.createdAt,
      row.verdict,
      row.findings.length === 0 ? null : JSON.stringify(row.findings),
      row.status,
      row.bytes,
      row.sha256,
      row.arrival,
      row.own,
      row.answeredBy,
      meta[22] ?? null,
    )
    const secretName = meta[18]
    insertContent.run(
      id,
      httpVersion,
      remote,
      endpointName,
      brand,
      secretName,
      reason,
      headers,
      trailers,
      body,
    )
    if (row.findings.length > 0) {
      for (const kind of kinds.idsOf(row.type, row.findings)) insertFinding.run(kind, id)
    }
    return row
  }

  /** Rows as they are after late answers: of this transaction in their place, of earlier ones as what is answered now. */
  const tellLate = (
    ids: readonly number[],
    rows: DeliverySummary[],
    answered: DeliverySummary[],
  ): void => {
    const places = new Map(rows.map(({ id }, index) => [id, index]))
    for (const row of readByIds(db, ids)) {
      const place = places.get(row.id)
      if (place === undefined) answered.push(row)
      else rows[place] = row
    }
  }

  const take = db.transaction((records: readonly JournalRecord[], position: number) => {
    const rows: DeliverySummary[] = []
    const answered: DeliverySummary[] = []
    const late: number[] = []
    const counted: CountedBy[] = []
    let bytes = 0
    for (const [index, record] of records.entries()) {
      switch (record.kind) {
        case 'answers': {
          const { answers } = record
          const to = Math.min(answers.to, tally.lastId)
          if (answers.from <= to) answered.push(...saved.group(answers, to))
          break
        }
        case 'answered':
          saved.late(record.answered)
          late.push(record.answered.id)
          break
        case 'delivery': {
          const { delivery } = record
          rows.push(store(delivery, answersOf(records, index, delivery.meta[0])))
          if (delivery.meta[23]) counted.push(delivery.meta[23])
          bytes += contentBytes(delivery.headers, delivery.body.byteLength)
          break
        }
      }
    }
    if (late.length > 0) tellLate(late, rows, answered)
    countUses(db, counted)
    const next: Tally = {
      position,
      lastId: rows.at(-1)?.id ?? tally.lastId,
      deliveries: tally.deliveries + rows.length,
      bytes: tally.bytes + bytes,
    }
    saveProgress.run(next.position, next.lastId, next.deliveries, next.bytes)
    return { rows, answered, next }
  })

  return {
    take: (records, position) => {
      try {
        const { rows, answered, next } = take(records, position)
        tally = next
        kinds.keep()
        return { rows, answered }
      } catch (error) {
        kinds.rollBack()
        throw error
      }
    },
    forget: (deliveries, bytes) => {
      tally = {
        ...tally,
        deliveries: Math.max(0, tally.deliveries - deliveries),
        bytes: Math.max(0, tally.bytes - bytes),
      }
      saveProgress.run(tally.position, tally.lastId, tally.deliveries, tally.bytes)
    },
    forgetKinds: () => kinds.reload(),
    tally: () => tally,
  }
}

/** What a delivery counts for in the tally. The same in SQL: `contentBytesSql`. */
function contentBytes(headers: string, body: number): number {
  return headers.length + body
}

/** Of `delivery_content`, what one row counts for in the tally. */
export const contentBytesSql = 'length(headers) + length(body)'

/** The answers record of the group that the delivery at `index` was in: the first one after it. */
function answersOf(
  records: readonly JournalRecord[],
  index: number,
  id: number,
): AnswersRecord | null {
  for (let i = index + 1; i < records.length; i += 1) {
    const record = records[i]
    if (record?.kind !== 'answers') continue
    return id >= record.answers.from && id <= record.answers.to ? record.answers : null
  }
  return null
}

function readTally(db: Db): Tally {
  const row = prepare<[], Tally>(
    db,
    'SELECT journal_position AS position, last_id AS lastId, deliveries, bytes FROM progress',
  ).get()
  if (!row) throw new Error('the store has no progress row')
  return row
}

/** Notes how deliveries that are stored already were answered. Inside the transaction of their journal records. */
interface Answers {
  /** Deliveries of a group, from its first one to `to`, as they are then. */
  group(answers: AnswersRecord, to: number): DeliverySummary[]
  /** The delivery may be deleted by now; then there is nothing to note it on. */
  late(answered: AnsweredRecord): void
}

function createAnswers(db: Db): Answers {
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
