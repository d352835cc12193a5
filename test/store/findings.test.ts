import { describe, expect, it } from 'vitest'
import type { Finding } from '#contract/models.ts'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { createFindingKinds } from '#engine/deliveries/finding-kinds.ts'
import { deliveryRecord } from '#test/support/journaled.ts'
import { storeWith } from '#test/support/store-with.ts'

const finding = (code: string, place: string): Finding => ({
  code,
  severity: 'warning',
  place,
  message: 'Words.',
})
const kinds = (db: Db) =>
  prepare<[], { type: string; code: string; place: string }>(
    db,
    'SELECT type, code, place FROM finding_kind ORDER BY id',
  ).all()
const found = (db: Db) =>
  prepare<[], { kind: number; delivery: number }>(
    db,
    'SELECT kind_id AS kind, delivery_id AS delivery FROM delivery_finding ORDER BY 2, 1',
  ).all()

describe('findings', () => {
  it('are stored with their delivery, each kind once', () => {
    const { db } = storeWith([
      deliveryRecord(1, { findings: [finding('a', 'body.x'), finding('b', 'body')] }),
      deliveryRecord(2),
      deliveryRecord(3, {
        type: null,
        // The same kind twice in one delivery.
        findings: [finding('a', 'body.x'), finding('a', 'body.x')],
      }),
      deliveryRecord(4, { findings: [finding('b', 'body')] }),
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

  it('are stored with all of a group or not at all, and the kinds of it come again', () => {
    const { db, ingest } = storeWith([deliveryRecord(1)])
    const second = deliveryRecord(2, { findings: [finding('a', 'body')] })
    expect(() => ingest.take([second, deliveryRecord(1)], 9)).toThrow('UNIQUE')
    expect([kinds(db), found(db)]).toEqual([[], []])
    ingest.take([second], 9)
    expect(found(db)).toEqual([{ kind: 1, delivery: 2 }])
    expect(kinds(db)).toHaveLength(1)
  })

  it('are distinguished by place and type until there are too many kinds', () => {
    const { db } = storeWith()
    const few = createFindingKinds(db, 2)
    const one = few.idsOf('OPEN_TAB', [finding('a', 'body.data.x')])
    few.idsOf('MADE_UP', [finding('a', 'body')])
    const many = few.idsOf('OPEN_TAB', [finding('a', 'body.data.y'), finding('a', 'body.data.z')])
    expect(many.size).toBe(1)
    expect(few.idsOf('OPEN_TAB', [finding('a', 'body.data.x')])).toEqual(one)
    few.idsOf('ANOTHER', [finding('a', 'body')])
    few.idsOf('A_THIRD', [finding('a', 'body')])
    expect(kinds(db).slice(2)).toEqual([
      { type: 'OPEN_TAB', code: 'a', place: 'body.data.*' },
      { type: '*', code: 'a', place: 'body' },
    ])
    // Another time the same are known.
    expect(createFindingKinds(db, 2).idsOf('A_FOURTH', [finding('a', 'body')])).toEqual(
      new Set([4]),
    )
  })
})
