import { beforeAll, describe, expect, it } from 'vitest'
import { filterFields } from '#contract/filter/fields.ts'
import { printFilter } from '#contract/filter/print.ts'
import { LogWhat, LogWith } from '#contract/logs.ts'
import type { LogItem } from '#engine/event-logs/items.ts'
import { type LogSource, openLogSource } from '#engine/event-logs/read/source.ts'
import { createSearch, type Search } from '#engine/search/search.ts'
import { openReader, openWriter } from '#engine/platform/sqlite.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { prepareStore } from '#engine/store/open.ts'
import { asOf, fill, randomFact, storeOf } from '#test/support/facts.ts'
import { parsed, randomFilterText, randomTerm, texts } from '#test/support/filter-texts.ts'
import { blocksOf, pageText } from '#test/support/log-page.ts'
import { randomOf } from '#test/support/random-filter.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { readerOf } from '#test/support/test-store.ts'
import { endpointsOf } from '#viewer/handlers/handlers.ts'
import { openLog, type PageLog } from '#viewer/log/log.ts'
import { createPageSearch, type PageSearch } from '#viewer/search/search.ts'

// The first IDs are deleted, and a block ends among the others.
const facts = Array.from({ length: 500 }, (_, index) =>
  randomFact(randomOf(index), 6001 + index * 6),
)

interface Asked {
  page: (input: { filter: string; upTo: null; asOf: number; offset: number; limit: number }) => {
    rows: readonly { id: number }[]
    complete: boolean
    total: number
  }
}

function found(search: Asked, filter: string): number[] {
  for (;;) {
    const page = search.page({ filter, upTo: null, asOf, offset: 0, limit: 1000 })
    if (page.complete) {
      expect(page.total).toBe(page.rows.length)
      return page.rows.map(({ id }) => id)
    }
  }
}

function* itemsOf(source: LogSource): Generator<LogItem, void, undefined> {
  yield* source.records()
  for (const ids of source.deliveryIds()) {
    for (const delivery of source.deliveries(ids)) yield { kind: 'delivery', delivery }
  }
}

describe('a filter in an exported page', () => {
  let store: Search
  let page: PageSearch
  let log: PageLog
  beforeAll(() => {
    const folder = ownedFolder()
    const { path } = prepareStore(folder.path, 'now')
    const db = openWriter(path)
    fill({ folder: folder.path, path, db, ingest: createIngest(db) }, facts)
    const reader = openReader(path)
    // In many steps.
    store = createSearch(reader, 0)
    const source = openLogSource(reader, LogWhat.parse({ log: null }), LogWith.parse({}), asOf)
    log = openLog(blocksOf(pageText(itemsOf(source))))
    page = createPageSearch(log, endpointsOf(log))
    return async () => {
      reader.close()
      db.close()
      await folder[Symbol.asyncDispose]()
    }
  })

  const compare = (filter: string): number => {
    const ids = found(store, filter)
    expect({ filter, ids: found(page, filter) }).toEqual({ filter, ids })
    return ids.length
  }

  it('finds all deliveries without a filter', () => {
    expect(log.problems).toEqual([])
    expect(compare('')).toBe(facts.length)
  })

  it.each(filterFields)('by $name has the same results as the store', ({ name }) => {
    const random = randomOf(name.length)
    const terms = new Set(Array.from({ length: 40 }, () => randomTerm(random, name)))
    const counts = [...terms].map(compare)
    // Terms that match nothing or everything prove nothing.
    expect(counts.some((count) => count > 0 && count < facts.length)).toBe(true)
  })

  it('by texts too', () => {
    const more = [
      'Fries "zz*"',
      'fries "ca*"',
      '"T4 pa*" or zz*',
      '-"o*" Café',
      '"CAFÉ*"',
      'caf',
      'fries-t',
      '-pa',
      'fries pat',
    ]
    for (const text of [...texts.map((text) => JSON.stringify(text)), ...more]) compare(text)
    // By prefix while typing, and by complete word in quotation marks.
    expect(compare('fri')).toBeGreaterThan(0)
    expect(compare('"fri"')).toBe(0)
  })

  it('by any filter too', () => {
    const random = randomOf(11)
    let some = 0
    for (let i = 0; i < 100; i += 1) {
      const count = compare(printFilter(parsed(randomFilterText(random, 3))))
      if (count > 0 && count < facts.length) some += 1
    }
    expect(some).toBeGreaterThan(40)
  })

  it('refuses an invalid filter with the position of the error', () => {
    expect(() => page.page({ filter: 'type:', upTo: null, asOf, offset: 0, limit: 1 })).toThrow(
      expect.objectContaining({ code: 'bad_filter' }),
    )
  })
})

it('a prefix of too many words to expand is searched too', () => {
  const many = Array.from({ length: 201 }, (_, index) => ({
    ...randomFact(randomOf(index), index + 1),
    body: JSON.stringify({ word: `fries zebra${index}` }),
  }))
  const other = createSearch(readerOf(storeOf(many)))
  const ask = (filter: string) =>
    other.page({ filter, upTo: null, asOf, offset: 0, limit: 500 }).rows.length
  expect(ask('zebra1*')).toBe(111)
  for (const text of ['zebra', 'zebra*', '"fries zebra*"', 'fries-zebra']) {
    expect([text, ask(text)]).toEqual([text, 201])
  }
  expect(ask('"fries zebra"')).toBe(0)
  expect(ask('-zebra')).toBe(0)
})
