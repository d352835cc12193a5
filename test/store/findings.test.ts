import { describe, expect, it } from 'vitest'
import { findingCodes } from '#catalogue/findings.ts'
import type { FindingData } from '#contract/models.ts'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { createFindingKinds } from '#engine/deliveries/findings-store.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { readUnindexed } from '#engine/deliveries/store.ts'
import { seeded } from '#sandbox/random.ts'
import { delivery, take, warning } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'

const kinds = (db: Db) =>
  prepare<[], { type: string; code: string; place: string }>(
    db,
    'SELECT type, code, location AS place FROM finding_kind ORDER BY id',
  ).all()
const found = (db: Db) =>
  prepare<[], { kind: number; delivery: number }>(
    db,
    'SELECT kind_id AS kind, delivery.id AS delivery FROM delivery JOIN finding_list_kind ON list_id = finding_list_id ORDER BY 2, 1',
  ).all()

/** Two findings that differ only in their values. */
const same = (actual: string): FindingData[] => [
  { code: 'body.empty', location: 'body', actual },
  { code: 'request.method', location: 'request', expected: 'POST', actual },
]

describe('findings', () => {
  it('are stored with their delivery, each kind once', () => {
    const { db } = storeWith([
      delivery(1, { findings: [warning('a', 'body.x'), warning('b')] }),
      delivery(2),
      delivery(3, {
        type: null,
        // The same kind of finding twice in one delivery.
        findings: [warning('a', 'body.x'), warning('a', 'body.x')],
      }),
      delivery(4, { findings: [warning('b')] }),
    ])
    expect(kinds(db)).toEqual([
      { type: 'OPEN_TAB', code: 'a', place: 'body.x' },
      { type: 'OPEN_TAB', code: 'b', place: 'body' },
      { type: '', code: 'a', place: 'body.x' },
    ])
    expect(found(db)).toEqual([
      { kind: 1, delivery: 1 },
      { kind: 2, delivery: 1 },
      { kind: 3, delivery: 3 },
      { kind: 2, delivery: 4 },
    ])
  })

  it('are stored with their complete group or not at all, and new kinds are stored again after a rollback', () => {
    const { db, ingest } = storeWith([delivery(1)])
    const findings = [warning('a')]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- which the store refuses
    const broken = delivery(3, { path: null as unknown as string })
    expect(() => take(ingest, [delivery(2, { findings }), broken])).toThrow('NOT NULL')
    expect([kinds(db), found(db)]).toEqual([[], []])
    take(ingest, [delivery(2, { findings })])
    expect(found(db)).toEqual([{ kind: 1, delivery: 2 }])
    expect(kinds(db)).toHaveLength(1)
  })

  it('are distinguished by place and type until there are too many kinds', () => {
    const { db } = storeWith()
    const few = createFindingKinds(db, 2)
    const one = few.idsOf('OPEN_TAB', [warning('a', 'body.data.x')])
    few.idsOf('MADE_UP', [warning('a')])
    const many = few.idsOf('OPEN_TAB', [warning('a', 'body.data.y'), warning('a', 'body.data.z')])
    expect(many.size).toBe(1)
    expect(few.idsOf('OPEN_TAB', [warning('a', 'body.data.x')])).toEqual(one)
    few.idsOf('ANOTHER', [warning('a')])
    few.idsOf('A_THIRD', [warning('a')])
    expect(kinds(db).slice(2)).toEqual([
      { type: 'OPEN_TAB', code: 'a', place: 'body.data.*' },
      { type: '*', code: 'a', place: 'body' },
    ])
    // The second time, the same kinds are known.
    expect(createFindingKinds(db, 2).idsOf('A_FOURTH', [warning('a')])).toEqual(new Set([4]))
  })

  it('are restored exactly, and share a list if they differ in values only', () => {
    const random = seeded(20_261_123)
    const texts = ['', 'none', 'body.x\ny', '[]', '漢🍔', '"', 'a'.repeat(200)]
    const value = (): string | undefined => (random.chance(0.3) ? undefined : random.pick(texts))
    const data = (): FindingData => {
      const [expected, actual] = [value(), value()]
      return {
        code: random.pick(findingCodes).code,
        location: random.pick(['body', 'body.data.total', 'body.data.x\ny', 'request']),
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
        // As from an event log of another version.
        ...(random.chance(0.1) && { severity: 'info', message: random.pick(texts) }),
      }
    }
    const lists = Array.from({ length: 200 }, () =>
      Array.from({ length: random.between(0, 4) }, data),
    )
    const { db } = storeWith(lists.map((findings, i) => delivery(i + 1, { findings })))
    const ids = lists.map((_, i) => i + 1)
    expect(readUnindexed(db, ids).map(({ findings }) => findings)).toEqual(lists)

    const before = listCount(db)
    take(
      createIngest(db),
      [1, 2, 3].map((n) => delivery(200 + n, { findings: same(`v${n}`) })),
    )
    expect(listCount(db)).toBe(before + 1)
    expect(readUnindexed(db, [202])[0]?.findings).toEqual(same('v2'))
  })

  it('reuse a list after a restart', () => {
    const { db } = storeWith([delivery(1, { findings: [warning('a')] })])
    take(createIngest(db), [delivery(2, { findings: [warning('a')] })])
    expect(listCount(db)).toBe(1)
  })

  it('keep no lists that no delivery has, however many there are', () => {
    const { db, ingest } = storeWith()
    for (let n = 1; n <= 30; n += 1) {
      const records = Array.from({ length: 100 }, (_, i) =>
        delivery(n * 100 + i - 99, { findings: [warning('a', `body.data.x${n}-${i}`)] }),
      )
      take(ingest, records)
      db.exec(`DELETE FROM delivery WHERE id <= ${(n - 1) * 100}`)
    }
    expect(listCount(db)).toBeLessThanOrEqual(1100)
    expect(readUnindexed(db, [3000])[0]?.findings[0]?.location).toBe('body.data.x30-99')
  })
})

const listCount = (db: Db): number =>
  prepare<[], { n: number }>(db, 'SELECT count(*) AS n FROM finding_list').get()?.n ?? -1
