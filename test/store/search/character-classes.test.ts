import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { normalizedText } from '#viewer/search/normalize.ts'

/** Beyond it there are only tags, selectors and unassigned characters, of which a sample is tested. */
const last = 0x1_fff0
const beyond = [0x2_0000, 0xe_0001, 0xe_0041, 0xe_0101, 0xf_0000, 0x10_fffd]

const around = (code: number): string => `x${String.fromCodePoint(code)}y`

it('an exported page classifies each character as the search index does', () => {
  const db = new Database(':memory:')
  db.exec(`
    CREATE VIRTUAL TABLE typed USING fts5(text, content = '', tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE word USING fts5vocab(typed, instance);
  `)
  const insert = db.prepare<[number, string]>('INSERT INTO typed (rowid, text) VALUES (?, ?)')
  const codes = [...Array.from({ length: last }, (_, index) => index + 1), ...beyond].filter(
    (code) => code < 0xd800 || code > 0xdfff,
  )
  db.transaction(() => codes.forEach((code) => insert.run(code, around(code))))()
  const words = db
    .prepare<[], { doc: number; term: string }>('SELECT doc, term FROM word ORDER BY doc, "offset"')
    .all()
  const found = new Map<number, string>()
  for (const { doc, term } of words) {
    const before = found.get(doc)
    found.set(doc, before === undefined ? term : `${before} ${term}`)
  }
  db.close()
  const different = codes.filter((code) => normalizedText(around(code)) !== found.get(code))
  expect(different).toEqual([])
  expect(found.size).toBe(codes.length)
})
