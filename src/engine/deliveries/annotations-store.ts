import type { ParsedInput } from '#contract/calls.ts'
import { maxTags } from '#contract/constants.ts'
import { AppError } from '../platform/errors.ts'
import { readUnindexed } from './store.ts'
import { prepare, type Db, insertInto } from '../platform/sqlite.ts'

/** Absent fields stay unchanged. */
export type Annotation = ParsedInput<'deliveries.annotate'>

/** Trims tags and removes duplicates. A delivery that gets a note or tag is pinned. Throws `not_found`, and `bad_input` for more than `maxTags` tags. */
export function annotate(db: Db, { id, pinned, note, ...change }: Annotation): void {
  const write = db.transaction(() => {
    const [before] = readUnindexed(db, [id])
    if (!before) return false
    if (note !== undefined) writeNote(db, id, note)
    const tags = tagsAfter(id, before.tags, change)
    if (tags !== before.tags) writeTags(db, id, tags)
    const gained = (note?.trim() ?? '') !== '' || tags.some((tag) => !before.tags.includes(tag))
    const pinnedNow = gained || (pinned ?? before.pinned)
    prepare<[number, number]>(db, 'UPDATE delivery SET pinned = ? WHERE id = ?').run(
      pinnedNow ? 1 : 0,
      id,
    )
    return true
  })
  if (write()) return
  throw new AppError(
    'not_found',
    `Delivery ${id} does not exist. It may have been deleted manually or by the storage limits.`,
  )
}

function tagsAfter(
  id: number,
  before: readonly string[],
  { tags, addTags, removeTags }: Omit<Annotation, 'id' | 'note' | 'pinned'>,
): readonly string[] {
  if (tags === undefined && addTags === undefined && removeTags === undefined) return before
  const removed = new Set(distinct(removeTags ?? []))
  const after = distinct([...(tags ?? before), ...(addTags ?? [])]).filter(
    (tag) => !removed.has(tag),
  )
  if (after.length > maxTags) {
    throw new AppError(
      'bad_input',
      `A delivery can have up to ${maxTags} tags. Delivery ${id} would have ${after.length}. Remove some first.`,
    )
  }
  return after
}

export interface Marks {
  readonly ids: readonly number[]
  readonly pinned?: boolean | undefined
  readonly tag?: string | undefined
}

/** One transaction. A delivery that gets a tag is pinned. Returns the IDs of changed ones. `full`: the number of deliveries that already have the maximum number of tags. */
export function markSeveral(
  db: Db,
  { ids, pinned, tag }: Marks,
): { changed: number[]; full: number } {
  const pin = prepare<[number, number]>(db, 'UPDATE delivery SET pinned = ? WHERE id = ?')
  const write = db.transaction(() => {
    const changed: number[] = []
    let full = 0
    for (const row of readUnindexed(db, ids)) {
      const tags = tag === undefined ? row.tags : distinct([...row.tags, tag])
      const tagged = tags.length > row.tags.length && tags.length <= maxTags
      if (tags.length > maxTags) full += 1
      if (tagged) writeTags(db, row.id, tags)
      const pinnedNow = tagged || (pinned ?? row.pinned)
      if (pinnedNow !== row.pinned) pin.run(pinnedNow ? 1 : 0, row.id)
      if (tagged || pinnedNow !== row.pinned) changed.push(row.id)
    }
    return { changed, full }
  })
  return write()
}

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
  const insert = insertInto(db, 'delivery_tag', ['tag', 'delivery_id'])
  for (const tag of tags) insert({ tag, delivery_id: id })
  prepare<[string | null, number]>(db, 'UPDATE delivery SET tags = ? WHERE id = ?').run(
    tags.length === 0 ? null : JSON.stringify(tags),
    id,
  )
}
