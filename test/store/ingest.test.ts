import { describe, expect, it } from 'vitest'
import { readByIds, readDelivery, readStats } from '#engine/deliveries/store.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { contentBytesSql, createIngest } from '#engine/deliveries/ingest.ts'
import { answeredRecord, answersRecord, deliveryRecord } from '#test/support/journal-records.ts'
import { readerOf, storeWith } from '#test/support/test-store.ts'

function counted(db: Db) {
  return db
    .prepare<[], { deliveries: number; bytes: number }>(
      `SELECT count(*) AS deliveries, coalesce(sum(${contentBytesSql}), 0) AS bytes FROM delivery_content`,
    )
    .get()
}

describe('ingest', () => {
  it('stores deliveries with their responses, and the position after them', () => {
    const store = storeWith()
    const records = [deliveryRecord(1), deliveryRecord(2), deliveryRecord(3, { status: null })]
    const { rows, answered } = store.ingest.take([...records, answersRecord(1, 3, [2, 3])], 4711)
    expect(answered).toEqual([])
    expect(rows.map(({ status, responseMs }) => [status, responseMs])).toEqual([
      [200, 2001],
      [null, null],
      [null, null],
    ])
    expect(readByIds(store.db, [1, 2, 3])).toEqual(rows)
    expect(store.ingest.tally()).toMatchObject({ position: 4711, lastId: 3, deliveries: 3 })
    expect(readStats(store.db)).toEqual({ ...counted(store.db), newestId: 3, indexedId: 0 })
  })

  it('returns the same delivery when it is read again', () => {
    const store = storeWith([
      deliveryRecord(1, { headers: 'X-É\nÿ\nx-é\n', trailers: 'T\n1', body: Buffer.alloc(0) }),
    ])
    expect(readDelivery(readerOf(store), 1)).toMatchObject({
      id: 1,
      headers: [
        ['X-É', 'ÿ'],
        ['x-é', ''],
      ],
      trailers: [['T', '1']],
      storedBytes: 0,
      endpointName: 'Sandbox',
      brand: 'Service',
      secretName: 'current',
      httpVersion: '1.1',
      remoteAddress: '127.0.0.1',
    })
  })

  it('stores responses that are recorded after their deliveries', () => {
    const store = storeWith()
    store.ingest.take([deliveryRecord(1), deliveryRecord(2)], 10)
    const late = store.ingest.take([deliveryRecord(3), answersRecord(1, 3, [2])], 20)
    expect(late.rows.map(({ id, responseMs }) => [id, responseMs])).toEqual([[3, 1]])
    expect(late.answered.map(({ id, status, responseMs }) => [id, status, responseMs])).toEqual([
      [1, 200, 2001],
      [2, null, null],
    ])
    expect(readByIds(store.db, [1, 2])).toEqual(late.answered)
    // Only the responses, much later: no new deliveries, and the position advances.
    store.ingest.take([deliveryRecord(4)], 30)
    const alone = store.ingest.take([answersRecord(4, 4)], 40)
    expect(alone).toMatchObject({ rows: [], answered: [{ id: 4, responseMs: 1 }] })
    expect(store.ingest.tally()).toMatchObject({ position: 40, lastId: 4, deliveries: 4 })
  })

  it('stores late responses, in the same transaction and in later ones', () => {
    const store = storeWith()
    const waiting = { status: null } as const
    const group = [1, 2, 3, 4].map((id) => deliveryRecord(id, waiting))
    const records = [...group, answersRecord(1, 4, [1, 2, 3, 4]), answeredRecord(2)]
    const first = store.ingest.take(records, 10)
    const summarize = ({ rows, answered }: typeof first) =>
      [...rows, ...answered].map(({ id, status, responseMs, respondedBy }) => [
        id,
        status,
        responseMs,
        respondedBy,
      ])
    expect(summarize(first)).toEqual([
      [1, null, null, null],
      [2, 200, 5000, 'rule'],
      [3, null, null, null],
      [4, null, null, null],
    ])
    const reason = 'Nothing listens there.'
    const later = store.ingest.take(
      [
        answeredRecord(1, { status: 502, answeredBy: 'target', reason }),
        answeredRecord(3, { status: null, reason: 'Dropped.' }),
        // Deleted in the meantime, or never stored.
        answeredRecord(99, { reason }),
      ],
      20,
    )
    expect(later.rows).toEqual([])
    expect(summarize(later)).toEqual([
      [1, 502, 5000, 'target'],
      [3, null, null, 'rule'],
    ])
    expect(readByIds(store.db, [1, 3])).toEqual(later.answered)
    const reasons = [1, 2, 3, 4].map((id) => readDelivery(store.db, id)?.reason)
    expect(reasons).toEqual([reason, null, 'Dropped.', null])
    expect(store.ingest.tally()).toMatchObject({ position: 20, lastId: 4, deliveries: 4 })
  })

  it('stores which deliveries Tabscope sent and which a rule responded to, also with late responses', () => {
    const store = storeWith()
    const own = deliveryRecord(1, { own: 'forward' })
    const dropped = deliveryRecord(2, { status: null, answeredBy: 'rule' })
    const gone = deliveryRecord(3, { status: 500, answeredBy: 'rule' })
    const records = [own, dropped, gone]
    const brief = (id: number) =>
      readByIds(store.db, [id]).map(({ status, sentBy: from, respondedBy }) => [
        status,
        from,
        respondedBy,
      ])
    store.ingest.take(records, 10)
    store.ingest.take([answersRecord(1, 3, [2, 3])], 20)
    const expected = [
      [200, 'forward', null],
      [null, null, 'rule'],
      [null, null, null],
    ]
    expect([1, 2, 3].flatMap(brief)).toEqual(expected)
    // The same in one transaction.
    const again = [
      deliveryRecord(4, { own: 'forward' }),
      deliveryRecord(5, { status: null, answeredBy: 'rule' }),
      deliveryRecord(6, { status: 500, answeredBy: 'rule' }),
    ]
    const { rows } = store.ingest.take([...again, answersRecord(4, 6, [5, 6])], 30)
    expect(
      rows.map(({ status, sentBy: from, respondedBy }) => [status, from, respondedBy]),
    ).toEqual(expected)
    expect([4, 5, 6].flatMap(brief)).toEqual(expected)
  })

  it('stores which deliveries arrived through the tunnel; older journals have none', () => {
    const store = storeWith()
    const records = [
      deliveryRecord(1, { via: 'tunnel' }),
      deliveryRecord(2),
      deliveryRecord(3, { own: 'send' }),
      deliveryRecord(4, { answeredBy: 'rule', via: 'tunnel' }),
    ]
    store.ingest.take(records, 10)
    expect(
      [1, 2, 3, 4].map((id) => {
        const delivery = readDelivery(store.db, id)
        return [delivery?.via, delivery?.sentBy, delivery?.respondedBy]
      }),
    ).toEqual([
      ['tunnel', null, null],
      [null, null, null],
      [null, 'send', null],
      ['tunnel', null, 'rule'],
    ])
  })

  it('stores a group completely or not at all, so that each delivery is stored exactly once', () => {
    const store = storeWith([deliveryRecord(1)])
    const before = { tally: store.ingest.tally(), stats: readStats(store.db) }
    // The second of them cannot be stored: as if the process died in the middle.
    const group = [deliveryRecord(2), deliveryRecord(1)]
    expect(() => store.ingest.take(group, 99)).toThrow('UNIQUE')
    expect(store.ingest.tally()).toEqual(before.tally)
    expect(readStats(store.db)).toEqual(before.stats)
    expect(readByIds(store.db, [2])).toEqual([])
    // Started again from the committed position.
    const again = createIngest(store.db)
    expect(again.tally()).toEqual(before.tally)
    again.take([deliveryRecord(2)], 99)
    expect(again.tally()).toMatchObject({ position: 99, lastId: 2, deliveries: 2 })
    expect(() => again.take([deliveryRecord(2)], 99)).toThrow('UNIQUE')
  })

  it('counts its size, whatever is in the headers', () => {
    const store = storeWith([
      deliveryRecord(1, { headers: `X\n${'ÿ'.repeat(99)}`, body: Buffer.alloc(1000) }),
      deliveryRecord(2, { headers: '', body: Buffer.alloc(0) }),
    ])
    expect(readStats(store.db)).toEqual({ ...counted(store.db), newestId: 2, indexedId: 0 })
    expect(store.ingest.tally()).toMatchObject(counted(store.db) ?? {})
  })
})
