import { beforeEach, describe, expect, it } from 'vitest'
import { severityOf } from '#catalogue/findings.ts'
import { isFailure, outcomeOf } from '#catalogue/outcome.ts'
import { groupKinds } from '#contract/deliveries.ts'
import type { Cause, DeliverySummary } from '#contract/models.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { createGroups, type Groups } from '#engine/search/groups.ts'
import { createSearch, type Search } from '#engine/search/search.ts'
import { delivery, take } from '#test/support/groups.ts'
import { planOf } from '#test/support/plans.ts'
import { asOf, randomFact, storeOf } from '#test/support/facts.ts'
import { full } from '#test/support/full.ts'
import { randomOf } from '#test/support/random-filter.ts'
import { readerOf, storeWith } from '#test/support/test-store.ts'

const facts = Array.from({ length: full ? 1000 : 300 }, (_, index) =>
  randomFact(randomOf(index), index + 1),
)

type GroupKind = (typeof groupKinds)[number]

/** The groups of one row, computed from what the row shows. */
function groupsOfRow(by: GroupKind, row: DeliverySummary): string[] {
  const outcome = outcomeOf(row)
  const sent = row.lastAttempt === null ? null : (row.lastAttempt.status ?? 'no_response')
  switch (by) {
    case 'problem': {
      if (outcome === 'ok' || (outcome === 'refused' && row.respondedBy !== null)) return []
      const attempted = row.lastAttempt?.status ?? null
      const status = outcome === 'rejected' ? attempted : outcome === 'refused' ? row.status : null
      return problemKeys(outcome, status, row.endpointId, row.causes ?? [])
    }
    case 'cause': {
      const codes = codesOf(row.causes ?? [])
      if (codes.length > 0) return codes.map(keyOf)
      return isFailure(row.verdict, row.lastAttempt?.status ?? null) ? [keyOf(null)] : []
    }
    case 'finding':
      return [...new Set(row.findings.map(({ code }) => code))].map(keyOf)
    case 'severity':
      return [...new Set(row.findings.map(severityOf))].map(keyOf)
    case 'outcome':
      return [keyOf(outcome)]
    case 'handler':
      return [keyOf(sent)]
    case 'verdict':
      return [keyOf(row.verdict)]
    case 'type':
      return [keyOf(row.type)]
    case 'tab':
      return row.facts?.tab ? [keyOf(row.facts.tab.id)] : []
    case 'endpoint':
      return [keyOf(row.endpointId)]
    case 'location':
      return [keyOf(row.locationName)]
  }
}

function keyOf(value: string | number | null): string {
  return value === null ? '' : `=${value}`
}

function codesOf(causes: readonly Cause[]): string[] {
  return [...new Set(causes.map(({ code }) => code))]
}

function problemKeys(
  outcome: string,
  status: number | null,
  endpointId: number | null,
  causes: readonly Cause[],
): string[] {
  const all = codesOf(causes)
  const codes = all.length > 1 ? all.filter((code) => code !== 'header.missing') : all
  return (codes.length > 0 ? codes : [null]).map((code) =>
    JSON.stringify({ outcome, status, endpointId, code }),
  )
}

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

const records = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    delivery(from + index, { type: `TYPE_${(from + index) % 16}` }),
  )

/** Queries until everything is counted. */
function whole(groups: Groups, by: GroupKind, filter = '') {
  for (let calls = 1; ; calls += 1) {
    const found = groups.query({ filter, upTo: null, asOf: 0, by })
    const counts = Object.fromEntries(found.groups.map(({ key, count }) => [key, count]))
    if (found.complete) return { counts, calls }
    expect(found.searched).toBeLessThan(1)
  }
}

function stored(db: Db) {
  const rows = db
    .prepare<[], { key: string; n: number }>(
      "SELECT '=' || type AS key, count(*) AS n FROM delivery GROUP BY type",
    )
    .all()
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
}

describe('the counts of groups', () => {
  /** More than two blocks of IDs. */
  const total = 14_000

  it('are continued when deliveries arrive, without deleted ones', () => {
    const store = storeWith(records(1, total))
    const groups = createGroups(readerOf(store), 0)
    // In short steps: with a budget of zero, a call counts one piece.
    expect(whole(groups, 'type').calls).toBeGreaterThan(1)
    take(store.ingest, records(total + 1, total + 700))
    const after = whole(groups, 'type')
    expect(after.calls, 'only the newest block is counted anew').toBeLessThanOrEqual(2)
    expect(after.counts).toEqual(stored(store.db))

    store.db.exec(`DELETE FROM delivery WHERE id < 9000 AND id % 7 <> 0;
      UPDATE progress SET deliveries = (SELECT count(*) FROM delivery)`)
    expect(whole(groups, 'type').counts).toEqual(stored(store.db))
  })

  it('follow manual changes if the filter depends on them', () => {
    const store = storeWith(records(1, total))
    const groups = createGroups(readerOf(store))
    expect(whole(groups, 'verdict', 'is:pinned').counts).toEqual({})
    store.db.exec('UPDATE delivery SET pinned = 1 WHERE id IN (3, 9000)')
    groups.touched([3, 9000])
    expect(whole(groups, 'verdict', 'is:pinned').counts).toEqual({ '=valid': 2 })
  })

  it('are empty without deliveries, and refuse an invalid filter', () => {
    const groups = createGroups(readerOf(storeWith()))
    const none = groups.query({ filter: '', upTo: null, asOf: 0, by: 'type' })
    expect(none).toEqual({ groups: [], complete: true, searched: 1 })
    expect(() => whole(groups, 'type', 'verdict:maybe')).toThrow(
      expect.objectContaining({ code: 'bad_filter' }),
    )
  })

  it('are read by ID or with the index of the filter', () => {
    const reader = readerOf(storeWith(records(1, 20)))
    const texts: string[] = []
    const spied: Db = Object.create(reader, {
      prepare: { value: (sql: string) => (texts.push(sql), reader.prepare(sql)) },
    })
    const groups = createGroups(spied)
    whole(groups, 'verdict')
    whole(groups, 'verdict', 'type:TYPE_3')
    const plans = texts.map((sql) => planOf(reader, sql))
    const [all, typed] = plans.filter((_, index) => texts[index]?.includes('AS class'))
    expect(all).toMatch(/SEARCH d USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/)
    expect(typed).toMatch(/SEARCH d USING COVERING INDEX delivery_by_type .*rowid>\? AND rowid<\?/)
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (d|delivery)\b/)
  })
})
