import type { Db } from '../store/driver.ts'
import { searchedText } from '../store/indexer/searchable.ts'
import { bodyTest, type BodyTest } from './body-test.ts'
import { containsTest } from './contains.ts'
import { headerTest, type HeaderTest } from './header-test.ts'
import { wildcard } from './wildcard.ts'
import { isUtf8 } from 'node:buffer'

/** So many tests are kept ready; a filter has a few. */
const kept = 500

const withFunctions = new WeakSet<Db>()

/**
 * Gives a connection the functions that filters use. All are pure, and take NULL for no match. The JSON that they are given is what
 * `compileFilter` bound to the statement.
 */
export function addFunctions(db: Db): void {
  if (withFunctions.has(db)) return
  withFunctions.add(db)

  const likes = remembering((json) => {
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

  const headers = remembering((json) => {
    const test: HeaderTest = JSON.parse(json)
    return headerTest(test)
  })
  define(db, 'filter_header', (text, test) => {
    return typeof text === 'string' && typeof test === 'string' && headers(test)(text)
  })

  const contains = remembering((json) => {
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

  const bodies = remembering((json) => {
    const test: BodyTest = JSON.parse(json)
    return bodyTest(test)
  })
  // Several terms look at the same body, one after the other.
  let last: { readonly id: unknown; readonly body: unknown } | null = null
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

/** Makes what a text asks for once, not for every row. */
function remembering<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    const before = made.get(text)
    if (before !== undefined) return before
    if (made.size >= kept) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}

/** The body as JSON; undefined: it is none. A byte order mark is dropped (RFC 8259, 8.1). */
export function readJson(body: Uint8Array): unknown {
  if (!isUtf8(body)) return undefined
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
    const value: unknown = JSON.parse(text.startsWith('\u{FEFF}') ? text.slice(1) : text)
    return value
  } catch {
    return undefined
  }
}
