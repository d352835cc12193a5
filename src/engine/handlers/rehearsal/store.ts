import type { CaseResult, Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import { insertRow, prepare, updateRow, type Db, type NamedValues } from '../../platform/sqlite.ts'

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
