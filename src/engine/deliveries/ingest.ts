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
import { digestOf } from './rows.ts'
import { readByIds } from './store.ts'
import { createFindingsStore, type FindingsStore } from './findings-store.ts'
import { createContentInsert, createSharedHeads, type SharedHeads } from './shared-heads.ts'
import { summaryOf } from './describe.ts'

export interface Tally {
  readonly position: number
  readonly lastId: number
  readonly deliveries: number
  /** Heads and bodies. */
  readonly bytes: number
}

export interface Ingested {
  /** In order of ID. */
  readonly rows: DeliverySummary[]
  /** Stored before; their response is known only now: large groups are read in parts, and some responses are late. */
  readonly answered: DeliverySummary[]
}

export interface Ingest {
  /** One transaction with the position, so that each delivery is stored exactly once, even after a crash. */
  take(records: readonly JournalRecord[], position: number): Ingested
  /** They were deleted elsewhere (retention, clearing). */
  forget(deliveries: number, bytes: number): void
  tally(): Tally
  readonly findings: FindingsStore
  readonly heads: SharedHeads
}

export function createIngest(db: Db): Ingest {
  const findings = createFindingsStore(db)
  const insertDelivery = prepare<(string | number | null | Uint8Array)[]>(
    db,
    `INSERT INTO delivery (id, received_us, answered_us, method, path, endpoint_id, type, title, target, location_name,
       created_ms, verdict, findings, status, bytes, sha256, arrival, own, answered_by, via, finding_list_id)
     VALUES (${Array.from({ length: 21 }, () => '?').join()})`,
  )
  const heads = createSharedHeads(db)
  const insertContent = createContentInsert(db)
  const saveProgress = prepare<[number, number, number, number]>(
    db,
    'UPDATE progress SET journal_position = ?, last_id = ?, deliveries = ?, bytes = ?',
  )
  const saved = createAnswers(db)
  let tally = readTally(db)

  const store = (delivery: JournaledDelivery, answers: AnswersRecord | null): DeliverySummary => {
    const { meta, headers, trailers, body } = delivery
    const [id, receivedUs, , , httpVersion, remoteAddress, , endpointName, brand, , reason] = meta
    const lost = answers?.lost.includes(id) ?? false
    const stored = findings.put(meta[13], meta[19])
    const row = summaryOf(delivery, answers ? answers.atUs - receivedUs : null, lost)
    insertDelivery.run(
      id,
      receivedUs,
      row.responseMs === null ? null : Math.round(row.responseMs * 1000),
      row.method,
      row.path,
      row.endpointId,
      row.type,
      row.title,
      row.target,
      row.locationName,
      row.createdAt,
      row.verdict,
      stored.findings,
      row.status,
      row.bytes,
      digestOf(row.sha256),
      row.arrival,
      row.sentBy,
      row.respondedBy,
      meta[22] ?? null,
      stored.listId,
    )
    const secretName = meta[18]
    const head = heads.put(row.type, { httpVersion, endpointName, brand, secretName, headers })
    insertContent({ id, remoteAddress, reason, trailers, body, head })
    return row
  }

  /** Replaces rows of this transaction, and adds earlier ones to `answered`. */
  const addLate = (
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
    if (late.length > 0) addLate(late, rows, answered)
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
        findings.keep()
        return { rows, answered }
      } catch (error) {
        findings.rollBack()
        heads.reload()
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
    tally: () => tally,
    findings,
    heads,
  }
}

/** `contentBytesSql` is the same in SQL. */
function contentBytes(headers: string, body: number): number {
  return headers.length + body
}

export const contentBytesSql =
  'length(headers) + coalesce((SELECT shared_head.bytes FROM shared_head WHERE shared_head.id = head_id), 0) + length(body)'

/** The next answers record, if it contains the delivery at `index`. */
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

/** For deliveries that are already stored. Use inside the transaction of their journal records. */
interface Answers {
  /** Up to `to`. Returns the updated rows. */
  group(answers: AnswersRecord, to: number): DeliverySummary[]
  /** Does nothing if the delivery was deleted. */
  late(answered: AnsweredRecord): void
}

function createAnswers(db: Db): Answers {
  const saveAnswer = prepare<[number, number, number]>(
    db,
    'UPDATE delivery SET answered_us = ? - received_us WHERE id BETWEEN ? AND ? AND status IS NOT NULL',
  )
  // If there was no status before, the decision not to respond stays as it is.
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
