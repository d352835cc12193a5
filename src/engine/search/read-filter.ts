import { parseFilter } from '#contract/filter/parse.ts'
import { AppError } from '../platform/errors.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import { type CompiledFilter, compileFilter } from './compile.ts'
import {
  type PrefixExpansion,
  type Text,
  bodyTest,
  type BodyTest,
  containsTest,
  headerTest,
  type HeaderTest,
  nameTest,
  wildcard,
} from './matching.ts'
import { searchedText } from '../deliveries/searchable.ts'
import { readJson } from '../payload/parse-body.ts'

const maxCached = 500

const withFunctions = new WeakSet<Db>()

/** All functions are pure and treat NULL as no match. Their JSON arguments are the values that `compileFilter` bound. */
function addFunctions(db: Db): void {
  if (withFunctions.has(db)) return
  withFunctions.add(db)

  const likes = cached((json) => {
    const pieces: string[] = JSON.parse(json)
    return wildcard(pieces)
  })
  define(db, 'filter_like', (text, pieces) => {
    return typeof text === 'string' && typeof pieces === 'string' && likes(pieces)(text)
  })
  define(db, 'filter_words', (text, pieces) => {
    if (typeof text !== 'string' || typeof pieces !== 'string') return false
    return likes(pieces)(text.toLowerCase())
  })

  const names = cached((json) => {
    const pieces: string[] = JSON.parse(json)
    return nameTest(pieces)
  })
  define(db, 'filter_name', (text, pieces) => {
    return typeof text === 'string' && typeof pieces === 'string' && names(pieces)(text)
  })

  const headers = cached((json) => {
    const test: HeaderTest = JSON.parse(json)
    return headerTest(test)
  })
  define(db, 'filter_header', (text, test) => {
    return typeof text === 'string' && typeof test === 'string' && headers(test)(text)
  })

  const contains = cached((json) => {
    const values: Parameters<typeof containsTest>[0] = JSON.parse(json)
    return containsTest(values)
  })
  define(db, 'filter_contains', (headers, trailers, body, size, values) => {
    if (typeof headers !== 'string' || typeof trailers !== 'string') return false
    if (!(body instanceof Uint8Array) || typeof values !== 'string') return false
    const text = searchedText({ headers, trailers, body, size: Number(size) })
    const test = contains(values)
    return test(text.headers) || test(text.body)
  })

  const bodies = cached((json) => {
    const test: BodyTest = JSON.parse(json)
    return bodyTest(test)
  })
  // Several terms may test the same body in a row.
  let last: { id: unknown; body: unknown } | null = null
  define(db, 'filter_body', (id, body, test) => {
    if (!(body instanceof Uint8Array) || typeof test !== 'string') return false
    if (last?.id !== id) last = { id, body: readJson(body) }
    return bodies(test)(last?.body)
  })
}

function define(db: Db, name: string, run: (...values: unknown[]) => boolean): void {
  db.function(name, { deterministic: true, varargs: true }, (...values: unknown[]) =>
    run(...values) ? 1 : 0,
  )
}

function cached<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    if (made.size >= maxCached) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}

const maxWords = 200

const withVocabulary = new WeakSet<Db>()

/** Temporary tables: the words of the index, and the words of a text according to the same tokenizer. */
function addVocabulary(db: Db): void {
  if (withVocabulary.has(db)) return
  withVocabulary.add(db)
  db.exec(`
    CREATE VIRTUAL TABLE temp.search_word USING fts5vocab(${schemaOf(db, 'delivery_text')}, delivery_text, instance);
    CREATE VIRTUAL TABLE temp.typed USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.typed_word USING fts5vocab(temp, typed, instance);
  `)
}

/** The search index is in a file of its own, except for an imported event log. */
function schemaOf(db: Db, table: string): string {
  const find = prepare<[string], string>(db, 'SELECT schema FROM pragma_table_list WHERE name = ?')
  return find.pluck().get(table) ?? 'main'
}

/** Jumps from word to word in index order without reading the deliveries that contain them. */
function expandPrefix(db: Db, { text }: Text): PrefixExpansion {
  addVocabulary(db)
  prepare<[string]>(db, 'INSERT INTO temp.typed (rowid, text) VALUES (1, ?)').run(text)
  const typed = prepare<[], string>(db, 'SELECT term FROM temp.typed_word ORDER BY "offset"')
    .pluck()
    .all()
  prepare<[]>(db, 'DELETE FROM temp.typed').run()
  const last = typed.at(-1) ?? ''
  const before = typed.slice(0, -1).join(' ')
  // The tokenizer recognizes none of its characters.
  if (last === '') return { before, last, words: [] }
  const next = prepare<[string], string>(
    db,
    'SELECT term FROM temp.search_word WHERE term >= ? LIMIT 1',
  ).pluck()
  const words: string[] = []
  // U+0001 appears in no word and sorts before all other characters, so this continues right after the word.
  for (let word = next.get(last); word?.startsWith(last); word = next.get(`${word}\u0001`)) {
    words.push(word)
    if (words.length > maxWords) return { before, last, words: null }
  }
  return { before, last, words }
}

/** `since:2h` is relative to `asOf` (milliseconds since the epoch). Throws `bad_filter` with the position (`from`, `to`) in its details. */
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
    expandPrefix: (text) => expandPrefix(db, text),
  })
}
