import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { normalizedText } from '#viewer/search/normalize.ts'

it.each([
  'ORDER_PLACED for Crème brûlée, Ångström & Łódź',
  'ann.o’brien+tab@example.com',
  '{"total": 12.50, "tags": ["vegetarian", "new"]}',
  'Ünïcode: 東京 カフェ, Привет мир, שלום, مرحبا 🍔!',
])('an exported page has the words of the search index for %s', (text) => {
  const db = new Database(':memory:')
  db.exec(`
    CREATE VIRTUAL TABLE typed USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE word USING fts5vocab(typed, instance);
  `)
  db.prepare('INSERT INTO typed (text) VALUES (?)').run(text)
  const words = db.prepare<[], { term: string }>('SELECT term FROM word ORDER BY "offset"').all()
  db.close()
  expect(normalizedText(text).split(' ')).toEqual(words.map(({ term }) => term))
})
