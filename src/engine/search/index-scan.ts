import { refSlots } from '../store/indexer/limits.ts'
import { refHash } from '../store/indexer/ref-hash.ts'
import type { Binder } from './binder.ts'
import type { FilterContext, Text } from './filter-context.ts'
import { phrase } from './text-match.ts'

/** Ids from @lo to @hi that have all of the texts. */
export function textArm(texts: readonly Text[], binder: Binder, world: FilterContext): string {
  const phrases = texts.map((term) => phrase(term, () => world.endings(term)))
  const query = binder.bind(phrases.join(' AND '))
  return `SELECT rowid AS id FROM delivery_text WHERE delivery_text MATCH ${query} AND rowid BETWEEN @lo AND @hi`
}

/** Ids from @lo to @hi that mention one of the ids. */
export function refArm(ids: readonly string[], binder: Binder): string {
  const hashes = binder.list(ids.map((id) => refHash('id', id)))
  return `SELECT id / ${refSlots} FROM delivery_ref INDEXED BY delivery_ref_by_hash WHERE hash IN (${hashes}) AND id BETWEEN @lo * ${refSlots} AND @hi * ${refSlots} + ${refSlots - 1}`
}
