import type { CaseResult, Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'

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
