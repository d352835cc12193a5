import { describe, expect, it } from 'vitest'
import type { Skip } from '#engine/sending/messages.ts'
import { createRecord } from '#engine/sending/store/attempts.ts'
import { createRecordSkips, readSkipsOf } from '#engine/sending/store/skips.ts'
import { attempted } from '#test/support/attempts.ts'
import { delivery } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'

const types = ['OPEN_TAB', 'CLOSE_TAB', null]

function store() {
  return storeWith(
    Array.from({ length: 9 }, (_, i) => delivery(i + 1, { type: types[i % 3] ?? null })),
  )
}

function skipped(overrides: Partial<Skip> = {}): Skip {
  return {
    forwardId: 1,
    endpointId: 1,
    types: [],
    url: 'http://127.0.0.1:3000/',
    fromId: 2,
    toId: 5,
    count: 4,
    at: 1000.5,
    reason: 'Too many waited.',
    ...overrides,
  }
}

describe('skipped deliveries', () => {
  it('is returned for each delivery of the range, and for no other', () => {
    const { db } = store()
    createRecordSkips(db)([skipped()])
    const counts = Array.from({ length: 9 }, (_, i) => readSkipsOf(db, i + 1).length)
    expect(counts).toEqual([0, 1, 1, 1, 1, 0, 0, 0, 0])
    expect(readSkipsOf(db, 3)).toEqual([
      'Not forwarded to http://127.0.0.1:3000/: Too many waited.',
    ])
    expect(readSkipsOf(db, 99)).toEqual([])
  })

  it('is returned only for deliveries with that target', async () => {
    const { db } = store()
    createRecordSkips(db)([
      skipped({ endpointId: 2 }),
      skipped({ types: ['CLOSE_TAB'], reason: 'Of a type.' }),
    ])
    const counts = [2, 3, 4, 5].map((id) => readSkipsOf(db, id).length)
    expect(counts).toEqual([1, 0, 0, 1])
    // It was sent there at another time.
    const record = createRecord(db, () => undefined)
    await record({
      attempts: [attempted({ deliveryId: 5, forwardId: 1, kind: 'forward' })],
      settled: [],
    })
    expect([2, 5].map((id) => readSkipsOf(db, id).length)).toEqual([1, 0])
  })

  it('is returned once, the newest first', () => {
    const { db } = store()
    createRecordSkips(db)([skipped(), skipped({ reason: 'It was switched off.' }), skipped()])
    expect(readSkipsOf(db, 3).map((text) => text.replace(/.*: /, ''))).toEqual([
      'Too many waited.',
      'It was switched off.',
    ])
  })

  it('are stored up to a limit, the newest', () => {
    const { db } = store()
    const record = createRecordSkips(db, 3)
    for (let id = 1; id <= 9; id += 1) record([skipped({ fromId: id, toId: id, count: 1 })])
    const counts = Array.from({ length: 9 }, (_, i) => readSkipsOf(db, i + 1).length)
    expect(counts).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1])
    record([])
    expect(readSkipsOf(db, 9)).toHaveLength(1)
  })
})
