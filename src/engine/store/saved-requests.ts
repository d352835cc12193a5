import { ApiRequest, type SavedRequest } from '#contract/api.ts'
import { AppError } from '../errors.ts'
import { prepare, type Db } from './driver.ts'

/** A request to be kept by name, secrets as markers. */
export type SavedFields = Omit<SavedRequest, 'id'>

/** By name. */
export function readSaved(db: Db): SavedRequest[] {
  return prepare<[], { id: number; name: string; request: string; saved_ms: number }>(
    db,
    'SELECT id, name, request, saved_ms FROM saved_request ORDER BY name COLLATE NOCASE, id',
  )
    .all()
    .map(({ id, name, request, saved_ms: savedAt }) => ({
      id,
      name,
      request: ApiRequest.parse(JSON.parse(request)),
      savedAt,
    }))
}

/** Returns its id. With `id` it takes the place of that one: throws `not_found` when there is none. */
export function writeSaved(
  db: Db,
  { id, fields }: { id: number | null; fields: SavedFields },
): number {
  const { name, request, savedAt } = fields
  const values = [
    request.integrationId,
    name,
    JSON.stringify(request),
    Math.round(savedAt),
  ] as const
  if (id === null) {
    const { lastInsertRowid } = prepare<[number, string, string, number]>(
      db,
      'INSERT INTO saved_request (integration_id, name, request, saved_ms) VALUES (?, ?, ?, ?)',
    ).run(...values)
    return Number(lastInsertRowid)
  }
  const { changes } = prepare<[number, string, string, number, number]>(
    db,
    'UPDATE saved_request SET integration_id = ?, name = ?, request = ?, saved_ms = ? WHERE id = ?',
  ).run(...values, id)
  if (changes === 0) {
    throw new AppError('not_found', `There is no saved request ${id}. Save it as a new one.`)
  }
  return id
}

export function deleteSaved(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM saved_request WHERE id = ?').run(id)
}
