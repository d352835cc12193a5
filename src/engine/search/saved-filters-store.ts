import type { SavedFilter } from '#contract/deliveries.ts'
import { AppError } from '../platform/errors.ts'
import { prepare, type Db, insertInto } from '../platform/sqlite.ts'

const maxFilters = 200

export function readFilters(db: Db): SavedFilter[] {
  return prepare<[], SavedFilter>(
    db,
    'SELECT id, name, filter FROM saved_filter ORDER BY name COLLATE NOCASE, id',
  ).all()
}

/** With an `id`, replaces that filter. */
export type FilterFields = Omit<SavedFilter, 'id'> & { readonly id: number | null }

/** Throws `name_taken`, `not_found`, or `bad_input` if there are too many. */
export function writeFilter(db: Db, { id, name, filter }: FilterFields): SavedFilter {
  const saved = readFilters(db)
  // Compared here, since SQLite's NOCASE handles only ASCII letters.
  const taken = saved.some(
    (other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase(),
  )
  if (taken) {
    throw new AppError(
      'name_taken',
      `A filter named "${name}" already exists. Use another name, or remove that filter.`,
    )
  }
  if (id !== null) {
    const { changes } = prepare<[{ name: string; filter: string; id: number }]>(
      db,
      'UPDATE saved_filter SET name = $name, filter = $filter WHERE id = $id',
    ).run({ name, filter, id })
    if (changes > 0) return { id, name, filter }
    throw new AppError('not_found', `Saved filter ${id} does not exist. Save it as a new one.`)
  }
  if (saved.length >= maxFilters) {
    throw new AppError(
      'bad_input',
      `You have reached the limit of ${maxFilters} saved filters. Remove one first.`,
    )
  }
  const { lastInsertRowid } = insertInto(db, 'saved_filter', ['name', 'filter'])({ name, filter })
  return { id: Number(lastInsertRowid), name, filter }
}

export function deleteFilter(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM saved_filter WHERE id = ?').run(id)
}
