import type { DeliverySummary } from '#contract/models.ts'
import { AppError } from '../errors.ts'
import { readByIds } from './deliveries.ts'
import { prepare, type Db } from './driver.ts'

/** What is left out stays as it is. */
export interface Annotation {
  readonly id: number
  /** Blank: none. */
  readonly note?: string | undefined
  readonly tags?: readonly string[] | undefined
}

/**
 * Writes the user's own words on a delivery: the note as given, tags trimmed, each once, in their order. One that gets a note or a tag is
 * pinned with it, so that it is kept. Returns the row. Throws `not_found`.
 */
export function annotate(db: Db, { id, note, tags }: Annotation): DeliverySummary {
  const write = db.transaction(() => {
    const [before] = readByIds(db, [id])
    if (!before) return null
    if (note !== undefined) writeNote(db, id, note)
    const cleaned = tags === undefined ? before.tags : distinct(tags)
    if (tags !== undefined) writeTags(db, id, cleaned)
    const gained = (note?.trim() ?? '') !== '' || cleaned.some((tag) => !before.tags.includes(tag))
    if (gained) prepare<[number]>(db, 'UPDATE delivery SET pinned = 1 WHERE id = ?').run(id)
    return readByIds(db, [id])[0] ?? null
  })
  const row = write()
  if (row) return row
  throw new AppError(
    'not_found',
    `There is no delivery ${id}. It may have been deleted, or have made room for newer ones.`,
  )
}

/** Trimmed, each once, in their order. */
function distinct(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '')
}

function writeNote(db: Db, id: number, note: string): void {
  const noted = note.trim() !== ''
  if (noted) {
    prepare<[number, string]>(
      db,
      'INSERT INTO delivery_note (delivery_id, note) VALUES (?, ?) ON CONFLICT DO UPDATE SET note = excluded.note',
    ).run(id, note)
  } else {
    prepare<[number]>(db, 'DELETE FROM delivery_note WHERE delivery_id = ?').run(id)
  }
  prepare<[number, number]>(db, 'UPDATE delivery SET noted = ? WHERE id = ?').run(noted ? 1 : 0, id)
}

function writeTags(db: Db, id: number, tags: readonly string[]): void {
  prepare<[number]>(db, 'DELETE FROM delivery_tag WHERE delivery_id = ?').run(id)
  const insert = prepare<[string, number]>(
    db,
    'INSERT INTO delivery_tag (tag, delivery_id) VALUES (?, ?)',
  )
  for (const tag of tags) insert.run(tag, id)
  prepare<[string | null, number]>(db, 'UPDATE delivery SET tags = ? WHERE id = ?').run(
    tags.length === 0 ? null : JSON.stringify(tags),
    id,
  )
}
