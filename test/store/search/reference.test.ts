import { beforeAll, describe, expect, it } from 'vitest'
import { filterFields } from '#contract/filter/fields.ts'
import { printFilter } from '#contract/filter/print.ts'
import { openReader, openWriter } from '#engine/platform/sqlite.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { prepareStore } from '#engine/store/open.ts'
import { createSearch, type Search } from '#engine/search/search.ts'
import { fill, randomFact, storeOf } from '#test/support/facts.ts'
import { parsed, randomFilterText, randomTerm, texts } from '#test/support/filter-texts.ts'
import { asOf, expectedIds } from '#test/support/reference-filter.ts'
import { randomOf } from '#test/support/random-filter.ts'
import { readerOf } from '#test/support/test-store.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { full } from '#test/support/full.ts'

// The first IDs are deleted, and a block ends among the others.
const first = 6001
const rounds = full ? { terms: 25, filters: 150 } : { terms: 8, filters: 150 }
const facts = Array.from({ length: 3000 }, (_, index) => randomFact(randomOf(index), first + index))

function found(search: Search, filter: string): number[] {
  const ids: number[] = []
  for (;;) {
    const page = search.page({ filter, upTo: null, asOf, offset: ids.length, limit: 500 })
    ids.push(...page.rows.map(({ id }) => id))
    if (page.complete && page.rows.length === 0) {
      expect(page.total).toBe(ids.length)
      return ids
    }
  }
}

describe('a search', () => {
  let search: Search
  beforeAll(() => {
    // Shared, since filling it takes longer than all queries.
    const folder = ownedFolder()
    const { path } = prepareStore(folder.path, 'now')
    const db = openWriter(path)
    fill({ folder: folder.path, path, db, ingest: createIngest(db) }, facts)
    const reader = openReader(path)
    search = createSearch(reader, 0)
    return async () => {
      reader.close()
      db.close()
      await folder[Symbol.asyncDispose]()
    }
  })

  const compare = (text: string): number => {
    const expected = expectedIds(parsed(text), facts).toReversed()
    expect({ text, ids: found(search, text) }).toEqual({ text, ids: expected })
    return expected.length
  }

  it.each(filterFields)('by $name has the same results as the reference filter', ({ name }) => {
    const random = randomOf(name.length)
    const terms = new Set(Array.from({ length: rounds.terms }, () => randomTerm(random, name)))
    const counts = [...terms].map(compare)
    // Terms that match nothing or everything prove nothing.
    expect(counts.some((count) => count > 0 && count < facts.length)).toBe(true)
  })

  it('by several texts too, and without any matching prefix', () => {
    for (const text of ['Fries "zz*"', 'fries "ca*"', '"T4 pa*" or zz*', '-"o*" Café', '"CAFÉ*"'])
      compare(text)
  })

  it('by prefix while typing, and by complete word in quotation marks', () => {
    expect(compare('fri')).toBeGreaterThan(0)
    expect(compare('"fri"')).toBe(0)
    for (const text of ['f', 'Pat', 'cafe', 'CAF', '-pa', 'fries pat', 'fries-t']) compare(text)
  })

  it('by a prefix of too many words to expand too', () => {
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

  it.each(texts)('by the text %j too', (text) => {
    compare(JSON.stringify(text))
  })

  it('by any filter too', () => {
    const random = randomOf(11)
    let some = 0
    for (let i = 0; i < rounds.filters; i += 1) {
      const text = printFilter(parsed(randomFilterText(random, 3)))
      const count = compare(text)
      if (count > 0 && count < facts.length) some += 1
    }
    expect(some).toBeGreaterThan(rounds.filters * 0.6)
  })
})
