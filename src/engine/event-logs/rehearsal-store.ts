import type { CaseResult, Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import { prepare, type Db, insertRow, updateRow, type NamedValues } from '../platform/sqlite.ts'

interface Row {
  readonly id: number
  readonly record: string
}

function toRehearsal({ id, record }: Row): Rehearsal {
  const stored: Omit<Rehearsal, 'id'> = JSON.parse(record)
  return { ...stored, id }
}

export function readRehearsals(db: Db): Rehearsal[] {
  return prepare<[], Row>(db, 'SELECT id, record FROM rehearsal ORDER BY id DESC')
    .all()
    .map(toRehearsal)
}

export function readRehearsal(db: Db, id: number): Rehearsal | null {
  const row = prepare<[number], Row>(db, 'SELECT id, record FROM rehearsal WHERE id = ?').get(id)
  return row ? toRehearsal(row) : null
}

/** In the order in which the cases ended. */
export function readRehearsalResults(db: Db, id: number): CaseResult[] {
  return prepare<[number], { record: string }>(
    db,
    'SELECT record FROM rehearsal_case WHERE rehearsal_id = ? ORDER BY position',
  )
    .all(id)
    .map(({ record }) => {
      const result: CaseResult = JSON.parse(record)
      return result
    })
}

interface RequestRow {
  readonly record: string
  readonly body: Uint8Array
  readonly response_body: Uint8Array
}

export function readRehearsalRequests(
  db: Db,
  { id, caseId }: { id: number; caseId: string },
): RehearsalRequest[] {
  return prepare<[number, string], RequestRow>(
    db,
    'SELECT record, body, response_body FROM rehearsal_request WHERE rehearsal_id = ? AND case_id = ? ORDER BY id',
  )
    .all(id, caseId)
    .map(({ record, body, response_body: responseBody }) => {
      const stored: Omit<RehearsalRequest, 'body' | 'responseBody'> = JSON.parse(record)
      return { ...stored, body, responseBody }
    })
}

export interface RehearsalRecord {
  readonly rehearsal: Rehearsal
  readonly result: CaseResult
  readonly requests: readonly RehearsalRequest[]
}

const maxRehearsals = 100

/** Returns the ID. Deletes the oldest runs above the limit. */
export function insertRehearsal(db: Db, rehearsal: Omit<Rehearsal, 'id'>): number {
  const id = insertRow(db, 'rehearsal', { record: JSON.stringify(rehearsal) })
  prepare<[number]>(
    db,
    'DELETE FROM rehearsal WHERE id <= (SELECT id FROM rehearsal ORDER BY id DESC LIMIT 1 OFFSET ?)',
  ).run(maxRehearsals)
  return id
}

export function updateRehearsal(db: Db, { id, ...record }: Rehearsal): void {
  updateRow(db, 'rehearsal', id, { record: JSON.stringify(record) })
}

export function recordRehearsalCase(
  db: Db,
  { rehearsal, result, requests }: RehearsalRecord,
): void {
  const keys = { rehearsal_id: rehearsal.id, case_id: result.id }
  db.transaction(() => {
    prepare<[NamedValues]>(
      db,
      `INSERT INTO rehearsal_case (rehearsal_id, case_id, position, record)
       VALUES ($rehearsal_id, $case_id, (SELECT count(*) FROM rehearsal_case WHERE rehearsal_id = $rehearsal_id), $record)`,
    ).run({ ...keys, record: JSON.stringify(result) })
    for (const { body, responseBody, ...record } of requests) {
      const row = { record: JSON.stringify(record), body, response_body: responseBody }
      insertRow(db, 'rehearsal_request', { ...keys, ...row })
    }
    updateRehearsal(db, rehearsal)
  })()
}

export function deleteRehearsal(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM rehearsal WHERE id = ?').run(id)
}
