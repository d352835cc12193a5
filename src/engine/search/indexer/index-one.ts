import { prepare, type Db } from '../../platform/sqlite.ts'
import { refSlots } from './limits.ts'
import { searchableOf, type Content, type Ref } from './searchable.ts'

/** Puts one delivery into the search index: its text, and what it is found by. Returns the latter. */
export function createIndexOne(db: Db): (id: number, content: Content) => readonly Ref[] {
  const insertText = prepare<[number, string, string]>(
    db,
    'INSERT INTO delivery_text (rowid, headers, body) VALUES (?, ?, ?)',
  )
  const insertRef = prepare<[number, number]>(
    db,
    'INSERT INTO delivery_ref (id, hash) VALUES (?, ?)',
  )
  return (id, content) => {
    const { headers, body, refs } = searchableOf(content)
    insertText.run(id, headers, body)
    for (const { slot, hash } of refs) insertRef.run(id * refSlots + slot, hash)
    return refs
  }
}
