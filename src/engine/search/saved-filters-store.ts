import type { SavedFilter } from '#contract/deliveries.ts'
import { AppError } from '../platform/errors.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/** So many filters are kept: more are no help in finding one. */
const mostFilters = 200

/** By name. */
export function readFilters(db: Db): SavedFilter[] {
  return prepare<[], SavedFilter>(
    db,
    'SELECT id, name, filter FROM saved_filter ORDER BY name COLLATE NOCASE, id',
  ).all()
}

/** What is to be kept; with an `id` it takes the place of that one. */
export type FilterFields = Omit<SavedFilter, 'id'> & { readonly id: number | null }

/** Returns the filter as kept. Throws `name_taken`, `not_found`, and `bad_input` when there are too many. */
export function writeFilter(db: Db, { id, name, filter }: FilterFields): SavedFilter {
  const kept = readFilters(db)
  // Compared here: SQLite's NOCASE knows the 26 letters of English alone.
  const taken = kept.some(
    (other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase(),
  )
  if (taken) {
    throw new AppError(
      'name_taken',
      `There is a filter "${name}" already. Choose another name, or remove that one.`,
    )
  }
  if (id !== null) {
    const { changes } = prepare<[string, string, number]>(
      db,
      'UPDATE saved_filter SET name = ?, filter = ? WHERE id = ?',
    ).run(name, filter, id)
    if (changes > 0) return { id, name, filter }
    throw new AppError('not_found', `There is no saved filter ${id}. Save it as a new one.`)
  }
  if (kept.length >= mostFilters) {
    throw new AppError(
      'bad_input',
      `There are ${mostFilters} saved filters, which is the limit. Remove one first.`,
    )
  }
  const { lastInsertRowid } = prepare<[string, string]>(
    db,
    'INSERT INTO saved_filter (name, filter) VALUES (?, ?)',
  ).run(name, filter)
  return { id: Number(lastInsertRowid), name, filter }
}

export function deleteFilter(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM saved_filter WHERE id = ?').run(id)
}
