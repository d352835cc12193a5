import { expect, it } from 'vitest'
import { filterFields } from '#contract/filter/fields.ts'
import { printLiteral } from '#contract/filter/print.ts'
import { prepare } from '#engine/platform/sqlite.ts'
import { readFilter } from '#engine/search/read-filter.ts'
import { createSearch } from '#engine/search/search.ts'
import { asOf, randomFact, storeOf, type Fact } from '#test/support/facts.ts'
import { delivery } from '#test/support/groups.ts'
import { randomOf } from '#test/support/random-filter.ts'
import { indexedStore, readerOf } from '#test/support/test-store.ts'
import { full } from '#test/support/full.ts'

const hostile = [
  "' OR '1'='1",
  "'; DROP TABLE delivery; --",
  '@lo',
  '@p0) OR 1=1 OR d.id IN (@p0',
  '? /* */ --',
  String.raw`\'; \"`,
  '" OR "',
  'x" NEAR "y',
  '\u0000',
  '{"path":[]}',
  '%_[a-z]?',
]

it('user text is never part of the SQL', () => {
  // Each is in one delivery, in every field that can be text.
  const facts = hostile.map((text, index): Fact => ({
    ...randomFact(randomOf(index), index + 1),
    type: text,
    location: text,
    target: text,
    method: text,
    path: text,
    secretName: text,
    tags: [text],
    note: text,
    via: 'relay',
    relay: { name: text, receiver: text },
    verdict: 'invalid',
    causes: [text],
    findings: [{ code: text, severity: 'info', location: text, message: text }],
    headers: [['X-It', text.replaceAll('\u0000', '')]],
    body: JSON.stringify({ data: { it: text, [text]: 5 } }),
  }))
  const db = readerOf(storeOf(facts))
  const search = createSearch(db)
  const ids = (filter: string) =>
    search.page({ filter, upTo: null, asOf, offset: 0, limit: 100 }).rows.map(({ id }) => id)
  const fields = filterFields.filter(
    ({ kind, name }) => kind === 'text' && !['endpoint', 'integration'].includes(name),
  )
  for (const [index, text] of hostile.entries()) {
    const value = `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
    const found = [index + 1]
    for (const { name } of fields)
      expect({ name, text, ids: ids(`${name}:${value}`) }).toEqual({ name, text, ids: found })
    expect(ids(`data.it:${value}`)).toEqual(found)
    expect(ids(`data.${value}:5`)).toEqual(found)
    if (text !== '\u0000') expect(ids(`header:x-it=${value}`)).toEqual(found)
    expect(ids(`note:${value}`)).toContain(index + 1)
    expect(ids(`endpoint:${value}`)).toEqual([])
    expect(ids(`integration:${value}`)).toEqual([])
    for (const filter of [
      `type:${value}`,
      `data.${value}:5`,
      `-tag:${printLiteral(text)} ${value.length > 6 ? `"a${text.replaceAll(/["\\]/g, '')}"` : 'a'}`,
    ]) {
      const { select } = readFilter(db, filter, asOf)
      expect(select('d.id').replaceAll(/@p\d+|@lo|@hi/g, '')).not.toContain(text)
    }
  }
  expect(prepare<[], number>(db, 'SELECT count(*) FROM delivery').pluck().get()).toBe(
    hostile.length,
  )
})

it('a target is found in a body that is too large for the index of IDs', () => {
  const store = indexedStore([
    delivery(1, {
      target: 'tab-1',
      body: Buffer.from(`{"targetUuid":"tab-1","x":"${'y'.repeat(1_100_000)}"}`),
    }),
    delivery(2, { target: 'tab-2' }),
  ])
  const search = createSearch(readerOf(store))
  const page = search.page({ filter: 'target:tab-1', upTo: null, asOf, offset: 0, limit: 10 })
  expect(page.rows.map(({ id }) => id)).toEqual([1])
})

it.runIf(full)('bodies of many megabytes are searched a few at a time', () => {
  const body = Buffer.from(`{"data":{"total":5,"x":"${'y'.repeat(2_000_000)}"}}`)
  const store = indexedStore(
    Array.from({ length: 120 }, (_, index) => delivery(index + 1, { body })),
  )
  const search = createSearch(readerOf(store))
  const ask = () => search.page({ filter: 'data.total:5', upTo: null, asOf, offset: 0, limit: 10 })
  // The first call does not know the cost yet.
  let calls = 1
  for (let page = ask(); !page.complete; page = ask()) calls += 1
  expect(calls).toBeGreaterThan(1)
  expect(ask()).toMatchObject({ total: 120, complete: true })
})
