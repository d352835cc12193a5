import { beforeEach, describe, expect, it } from 'vitest'
import { groupKinds } from '#contract/deliveries.ts'
import { groupsOfRow } from '#engine/search/group-classes.ts'
import { createGroups, type Groups } from '#engine/search/groups.ts'
import { createSearch, type Search } from '#engine/search/search.ts'
import { asOf, randomFact, storeOf } from '#test/support/facts.ts'
import { randomOf } from '#test/support/random-filter.ts'
import { readerOf } from '#test/support/test-store.ts'

const facts = Array.from({ length: 1500 }, (_, index) => randomFact(randomOf(index), index + 1))

describe('groups of deliveries', () => {
  let search: Search
  let groups: Groups
  beforeEach(() => {
    const db = readerOf(storeOf(facts))
    search = createSearch(db)
    groups = createGroups(db, 0)
  })
  const list = (filter: string) => {
    for (;;) {
      const page = search.page({ filter, upTo: null, asOf, offset: 0, limit: 2000 })
      if (page.complete) return page.rows
    }
  }
  const ask = (by: (typeof groupKinds)[number], filter = '') => {
    for (;;) {
      const found = groups.query({ filter, upTo: null, asOf, by })
      if (found.complete) return found.groups
    }
  }

  it.each(groupKinds)('by %s are those of the rows, and their terms find them', (by) => {
    const rows = list('')
    const expected = new Map<string, number[]>()
    for (const row of rows) {
      for (const key of groupsOfRow(by, row))
        expected.set(key, [...(expected.get(key) ?? []), row.id])
    }
    const found = ask(by)
    expect(new Map(found.map(({ key, count }) => [key, count]))).toEqual(
      new Map([...expected].map(([key, ids]) => [key, ids.length])),
    )
    for (const { key, term, count, last, firstAt } of found) {
      const ids = expected.get(key) ?? []
      expect({ term, ids: list(term).map(({ id }) => id) }).toEqual({ term, ids })
      expect(count).toBe(ids.length)
      expect(last.id).toBe(Math.max(...ids))
      expect(firstAt).toBe(rows.find(({ id }) => id === Math.min(...ids))?.receivedAt)
    }
  })

  it('counts the results of a filter only', () => {
    const types = ask('type', 'verdict:invalid')
    expect(types.reduce((sum, { count }) => sum + count, 0)).toBe(list('verdict:invalid').length)
  })
})
