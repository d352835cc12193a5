import { describe, expect, it } from 'vitest'
import type { Finding } from '#contract/models.ts'
import { verdicts, suggestedFields } from '#contract/constants.ts'
import { annotate } from '#engine/deliveries/annotations-store.ts'
import { readConformance } from '#engine/conformance/store.ts'
import { Indexer } from '#engine/search/indexer/indexer.ts'
import { namesSql, readSuggestions } from '#engine/search/suggest.ts'
import { delivery } from '#test/support/groups.ts'
import { plansOf } from '#test/support/plans.ts'
import {
  analyze,
  indexedStore,
  indexerOf,
  readerOf,
  type TestStore,
} from '#test/support/test-store.ts'

const finding: Finding = { code: 'a', severity: 'info', location: 'body', message: 'Words.' }
const types = ['OPEN_TAB', 'CLOSE_TAB', null]

function filled(): TestStore {
  return indexedStore(
    Array.from({ length: 300 }, (_, i) =>
      delivery(i + 1, {
        type: types[i % types.length] ?? null,
        verdict: verdicts[i % verdicts.length] ?? 'valid',
        findings: i % 5 === 0 ? [finding] : [],
      }),
    ),
  )
}

/** Tables with a row for each delivery, which must not be scanned or sorted. */
const scanned = /SCAN (delivery|delivery_content|delivery_ref|delivery_tag)\b/

describe.each([
  ['without statistics', false],
  ['with statistics', true],
])('the plan %s', (_, statistics) => {
  const store = (): TestStore => {
    const made = filled()
    if (statistics) analyze(made)
    return made
  }

  it.each(suggestedFields.filter((field) => Object.hasOwn(namesSql, field)))(
    'of suggestions for %s reads the newest by ID',
    async (field) => {
      const [first] = await plansOf(readerOf(store()), (db) =>
        readSuggestions(db, { field, prefix: '' }),
      )
      // No unbounded SEARCH; its LIMIT ends it.
      expect(first?.plan).toMatch(/^SCAN delivery$/)
      expect(first?.sql).toMatch(/id DESC LIMIT \?$/)
    },
  )

  it.each(['location', 'tag', 'type', 'status'] as const)(
    'of suggestions for %s jumps from value to value of an index',
    async (field) => {
      for (const { sql, plan } of await plansOf(readerOf(store()), (db) =>
        readSuggestions(db, { field, prefix: 'a' }),
      )) {
        expect(plan).not.toMatch(scanned)
        expect(plan).not.toContain('TEMP B-TREE')
        expect(sql).toMatch(/LIMIT/)
        expect(plan).toMatch(
          /SEARCH delivery(_tag)? USING (COVERING INDEX delivery_by_(type|location|status)|PRIMARY KEY)/,
        )
      }
    },
  )

  it('of suggestions for findings counts along the kinds', async () => {
    const db = readerOf(store())
    for (const { plan } of await plansOf(db, (spied) =>
      readSuggestions(spied, { field: 'finding', prefix: '' }),
    )) {
      expect(plan).toContain(
        'SEARCH d USING COVERING INDEX delivery_by_finding_list (finding_list_id=?)',
      )
      expect(plan).not.toMatch(scanned)
    }
  })

  it('of suggestions for headers reads the newest by ID', async () => {
    const db = readerOf(store())
    const [first] = await plansOf(db, (spied) =>
      readSuggestions(spied, { field: 'header', prefix: '' }),
    )
    // No unbounded SEARCH; its LIMIT ends it.
    expect(first?.plan).toMatch(/^SCAN delivery_content$/)
    expect(first?.sql).toMatch(/ORDER BY id DESC LIMIT \?$/)
  })

  it('of the conformance summary counts along indexes, by type, verdict and id', async () => {
    const plans = await plansOf(readerOf(store()), (db) =>
      readConformance(db, { since: 1, before: 4_000_000_000_000 }),
    )
    for (const { plan } of plans) {
      expect(plan).not.toMatch(scanned)
      expect(plan).not.toContain('TEMP B-TREE')
    }
    const all = plans.map(({ plan }) => plan).join('\n')
    expect(all).toContain(
      'SEARCH delivery USING COVERING INDEX delivery_by_type (type=? AND verdict=? AND rowid>? AND rowid<?)',
    )
    expect(all).toContain(
      'SEARCH delivery USING COVERING INDEX delivery_by_finding_list (finding_list_id=? AND rowid>? AND rowid<?)',
    )
    expect(all).toContain('COVERING INDEX delivery_by_time (received_us>?)')
  })

  it('of the indexer reads by ID, finds earlier deliveries by hash, and deletes ranges of IDs', async () => {
    const made = store()
    const { search } = indexerOf(made)
    const reading = await plansOf(made.db, (spied) => new Indexer(spied, search))
    const writing = await plansOf(search, (spied) => new Indexer(made.db, spied).remove(1, 2))
    const plans = [...reading, ...writing].filter(({ sql }) => /^(?:SELECT|DELETE)/.test(sql))
    for (const { plan } of plans) {
      expect(plan).not.toMatch(scanned)
      expect(plan).not.toContain('TEMP B-TREE')
    }
    const all = plans.map(({ plan }) => plan).join('\n')
    expect(all).toContain(
      'SEARCH delivery_ref USING COVERING INDEX delivery_ref_by_hash (hash=? AND rowid<?)',
    )
    expect(all).toContain('SEARCH delivery USING INTEGER PRIMARY KEY (rowid>?)')
    expect(all).toContain('SEARCH delivery_ref USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)')
    expect(all).toContain('SCAN delivery_text VIRTUAL TABLE INDEX 0:><')
  })

  it('of notes and tags writes by ID', async () => {
    const { db } = store()
    const plans = await plansOf(db, (spied) =>
      annotate(spied, { id: 3, note: 'mine', tags: ['a'] }),
    )
    for (const { plan } of plans) expect(plan).not.toMatch(scanned)
    expect(plans.map(({ plan }) => plan).join('\n')).toContain(
      'SEARCH delivery_tag USING COVERING INDEX delivery_tag_by_delivery',
    )
  })
})
