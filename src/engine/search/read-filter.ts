import { parseFilter } from '#contract/filter/parse.ts'
import { AppError } from '../errors.ts'
import { type Db, prepare } from '../store/driver.ts'
import { type CompiledFilter, compileFilter } from './compile.ts'
import { addFunctions } from './functions.ts'
import type { PrefixExpansion, Text } from './filter-context.ts'

/** More words than this are not looked for one by one. */
const mostWords = 200

const withVocabulary = new WeakSet<Db>()

/** Tables that live as long as the connection: the words of the index, and the words of a text as the same tokenizer reads them. */
function addVocabulary(db: Db): void {
  if (withVocabulary.has(db)) return
  withVocabulary.add(db)
  db.exec(`
    CREATE VIRTUAL TABLE temp.search_word USING fts5vocab(main, delivery_text, instance);
    CREATE VIRTUAL TABLE temp.typed USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.typed_word USING fts5vocab(temp, typed, instance);
  `)
}

/**
 * The words of the index that begin with the last word of a text. From one to the next by the order of the index, and never through the
 * deliveries that have it.
 */
function expandPrefix(db: Db, { text }: Text): PrefixExpansion {
  addVocabulary(db)
  prepare<[string]>(db, 'INSERT INTO temp.typed (rowid, text) VALUES (1, ?)').run(text)
  const typed = prepare<[], string>(db, 'SELECT term FROM temp.typed_word ORDER BY "offset"')
    .pluck()
    .all()
  prepare<[]>(db, 'DELETE FROM temp.typed').run()
  const last = typed.at(-1) ?? ''
  const before = typed.slice(0, -1).join(' ')
  // The tokenizer knows none of its letters.
  if (last === '') return { before, last, words: [] }
  const next = prepare<[string], string>(
    db,
    'SELECT term FROM temp.search_word WHERE term >= ? LIMIT 1',
  ).pluck()
  const words: string[] = []
  // Behind a word comes, before all that begins with it, the word with the least character there is: no word has that.
  for (let word = next.get(last); word?.startsWith(last); word = next.get(`${word}\u0001`)) {
    words.push(word)
    if (words.length > mostWords) return { before, last, words: null }
  }
  return { before, last, words }
}

/**
 * Reads and compiles a filter for a connection. `asOf`: milliseconds since the epoch, from which `since:2h` counts back. Throws
 * `bad_filter`, with `from` and `to` in its details: the characters that are wrong.
 */
export function readFilter(db: Db, text: string, asOf: number): CompiledFilter {
  const parsed = parseFilter(text)
  if (!parsed.ok) {
    const { from, to, message } = parsed.error
    throw new AppError('bad_filter', message, { details: { from, to } })
  }
  addFunctions(db)
  const endpoints = prepare<
    [],
    { id: number; name: string; slug: string; integrationId: number; integrationName: string }
  >(
    db,
    `SELECT endpoint.id, endpoint.name, slug, integration_id AS integrationId, integration.name AS integrationName
     FROM endpoint JOIN integration ON integration.id = integration_id`,
  )
    .all()
    .map(({ integrationId, integrationName, ...endpoint }) => ({
      ...endpoint,
      integration: { id: integrationId, name: integrationName },
    }))
  return compileFilter(parsed.filter, {
    asOf,
    endpoints,
    endings: (text) => expandPrefix(db, text),
  })
}
