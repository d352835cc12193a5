import type { SavedFilter } from '#contract/deliveries.ts'
import { AppError } from '../platform/errors.ts'
import { prepare, type Db, insertRow, updateRow } from '../platform/sqlite.ts'

const maxFilters = 200

export function readFilters(db: Db): SavedFilter[] {
  return prepare<[], Omit<SavedFilter, 'columns'> & { columns: string | null }>(
    db,
    'SELECT id, name, filter, columns FROM saved_filter ORDER BY name COLLATE NOCASE, id',
  )
    .all()
    .map(({ columns, ...saved }) => ({
      ...saved,
      columns: columns === null ? null : JSON.parse(columns),
    }))
}

/** With an `id`, replaces that filter. */
export type FilterFields = Omit<SavedFilter, 'id' | 'columns'> & {
  readonly id: number | null
  readonly columns?: SavedFilter['columns']
}

/** Throws `name_taken`, `not_found`, or `bad_input` if there are too many. */
export function writeFilter(
  db: Db,
  { id, name, filter, columns = null }: FilterFields,
): SavedFilter {
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
  const row = { name, filter, columns: columns && JSON.stringify(columns) }
  if (id !== null) {
    if (updateRow(db, 'saved_filter', id, row)) return { id, name, filter, columns }
    throw new AppError('not_found', `Saved filter ${id} does not exist. Save it as a new one.`)
  }
  if (saved.length >= maxFilters) {
    throw new AppError(
      'bad_input',
      `You have reached the limit of ${maxFilters} saved filters. Remove one first.`,
    )
  }
  return { id: insertRow(db, 'saved_filter', row), name, filter, columns }
}

export function deleteFilter(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM saved_filter WHERE id = ?').run(id)
}
