import { describe, expect, it } from 'vitest'
import { createSearch, type IdsInput, type Search } from '#engine/search/search.ts'
import { add, asOf, randomFact, storeOf } from '#test/support/facts.ts'
import { randomOf } from '#test/support/random-filter.ts'
import { readerOf } from '#test/support/test-store.ts'

const facts = Array.from({ length: 1000 }, (_, index) => randomFact(randomOf(index), index + 1))
const wanted = { after: 0, upTo: null, asOf, limit: 100 } as const

/** Calls until it is complete. Returns the IDs and the number of calls. */
function all(search: Search, input: IdsInput): { ids: number[]; asked: number } {
  const ids: number[] = []
  let { after } = input
  for (let asked = 1; ; asked += 1) {
    const found = search.idsOf({ ...input, after })
    expect(found.ids.length).toBeLessThanOrEqual(input.limit)
    expect(found.reached).toBeGreaterThanOrEqual(found.ids.at(-1) ?? after)
    ids.push(...found.ids)
    if (found.complete) return { ids, asked }
    after = found.reached
  }
}

function listed(search: Search, filter: string): number[] {
  for (;;) {
    const page = search.page({ filter, upTo: null, asOf, offset: 0, limit: facts.length })
    if (page.complete) return page.rows.map(({ id }) => id)
  }
}

describe('the ids of a filter', () => {
  it('are complete and in order, in any number of calls', () => {
    const search = createSearch(readerOf(storeOf(facts)), 0)
    for (const filter of ['', 'type:OPEN_TAB', 'attempt:failed', 'data.total:100', '"Fries"']) {
      const expected = listed(search, filter).toReversed()
      expect(expected.length).toBeGreaterThan(10)
      const found = all(search, { ...wanted, filter, limit: 7 })
      expect(found.ids, filter).toEqual(expected)
      expect(found.asked).toBeGreaterThan(1)
    }
  })

  it('end at a given ID, and at the end of the index if they need it', () => {
    const store = storeOf(facts)
    add(store, [{ ...randomFact(randomOf(1), 1001), body: '"Fries"' }], false)
    const search = createSearch(readerOf(store))
    const last = (input: Partial<IdsInput> & { filter: string }) =>
      all(search, { ...wanted, ...input }).ids.at(-1)
    expect(last({ filter: '' })).toBe(1001)
    expect(last({ filter: '', upTo: 500 })).toBe(500)
    expect(last({ filter: '', upTo: 5000 })).toBe(1001)
    expect(last({ filter: '"Fries"' })).toBeLessThan(1001)
    expect(all(search, { ...wanted, filter: '', upTo: 0 }).ids).toEqual([])
    expect(() => search.idsOf({ ...wanted, filter: 'wrong:' })).toThrow(
      expect.objectContaining({ code: 'bad_filter' }),
    )
  })
})
