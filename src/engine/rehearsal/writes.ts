import type { CaseResult, Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

export interface RehearsalRecord {
  readonly rehearsal: Rehearsal
  readonly result: CaseResult
  readonly requests: readonly RehearsalRequest[]
}

const maxRehearsals = 100

/** Returns the ID. Deletes the oldest runs above the limit. */
export function insertRehearsal(db: Db, rehearsal: Omit<Rehearsal, 'id'>): number {
  const { lastInsertRowid } = prepare<[string]>(
    db,
    'INSERT INTO rehearsal (record) VALUES (?)',
  ).run(JSON.stringify(rehearsal))
  prepare<[number]>(
    db,
    'DELETE FROM rehearsal WHERE id <= (SELECT id FROM rehearsal ORDER BY id DESC LIMIT 1 OFFSET ?)',
  ).run(maxRehearsals)
  return Number(lastInsertRowid)
}

export function updateRehearsal(db: Db, { id, ...record }: Rehearsal): void {
  prepare<[string, number]>(db, 'UPDATE rehearsal SET record = ? WHERE id = ?').run(
    JSON.stringify(record),
    id,
  )
}

export function recordRehearsalCase(
  db: Db,
  { rehearsal, result, requests }: RehearsalRecord,
): void {
  const insert = prepare<[number, string, string, Uint8Array, Uint8Array]>(
    db,
    'INSERT INTO rehearsal_request (rehearsal_id, case_id, record, body, response_body) VALUES (?, ?, ?, ?, ?)',
  )
  db.transaction(() => {
    prepare<[number, string, number, string]>(
      db,
      `INSERT INTO rehearsal_case (rehearsal_id, case_id, position, record)
       VALUES (?, ?, (SELECT count(*) FROM rehearsal_case WHERE rehearsal_id = ?), ?)`,
    ).run(rehearsal.id, result.id, rehearsal.id, JSON.stringify(result))
    for (const { body, responseBody, ...record } of requests) {
      insert.run(rehearsal.id, result.id, JSON.stringify(record), body, responseBody)
    }
    updateRehearsal(db, rehearsal)
  })()
}

export function deleteRehearsal(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM rehearsal WHERE id = ?').run(id)
}
