import { describe, expect, it } from 'vitest'
import { readBody, readDelivery, readStats, readUnindexed } from '#engine/deliveries/store.ts'
import { contentBytesSql } from '#engine/deliveries/rows.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import type { RelayedDelivery } from '#engine/deliveries/groups.ts'
import { readRelayFacts } from '#engine/deliveries/relay-store.ts'
import { createSearch } from '#engine/search/search.ts'
import {
  delivery,
  firstUs,
  lateResponse,
  newDelivery,
  responses,
  take,
  type GroupItem,
} from '#test/support/groups.ts'
import { readerOf, storeWith, type TestStore } from '#test/support/test-store.ts'

function counted({ db }: TestStore) {
  return db
    .prepare<[], { deliveries: number; bytes: number }>(
      `SELECT count(*) AS deliveries, coalesce(sum(${contentBytesSql}), 0) AS bytes FROM delivery_content`,
    )
    .get()
}

const responsesOf = ({ db }: TestStore, ...ids: number[]) =>
  readUnindexed(db, ids).map(({ status, responseMs, respondedBy }) => [
    status,
    responseMs,
    respondedBy,
  ])

describe('ingest', () => {
  it('stores a delivery as it was received', () => {
    const store = storeWith([
      delivery(1, {
        headers: 'X-É\nÿ\nx-é\n',
        trailers: 'T\n1',
        body: Buffer.alloc(0),
        sentBy: 'forward',
        via: 'tunnel',
      }),
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
      sentBy: 'forward',
      via: 'tunnel',
    })
  })

  it('stores small bodies, which share their bytes, and others', () => {
    const { db, ingest } = storeWith()
    const bodies = [3, Buffer.from('its own'), 0, 2]
    const deliveries = bodies.map((body, index) => ({ ...newDelivery(index + 1), body }))
    ingest.take({ deliveries, bodies: Buffer.from('abcde'), responses: [], late: [] })
    const stored = [1, 2, 3, 4].map((id) => readBody(db, id, 0, 100)?.bytes ?? [])
    expect(stored.map((bytes) => Buffer.from(bytes).toString())).toEqual([
      'abc',
      'its own',
      '',
      'de',
    ])
  })

  it('stores the times of responses, which follow with a later group, and returns their IDs', () => {
    const store = storeWith([
      delivery(1),
      delivery(2, { status: 500, respondedBy: 'rule' }),
      delivery(3, { status: null, respondedBy: 'rule' }),
    ])
    expect(responsesOf(store, 1, 2, 3)).toEqual([
      [200, null, null],
      [500, null, 'rule'],
      [null, null, 'rule'],
    ])
    expect(take(store.ingest, [responses(1, 3, [2, 3])])).toEqual([1, 2, 3])
    // The second connection was closed; the third was dropped by a rule.
    expect(responsesOf(store, 1, 2, 3)).toEqual([
      [200, 2001, null],
      [null, null, null],
      [null, null, 'rule'],
    ])
    expect(store.ingest.tally()).toMatchObject({ lastId: 3, deliveries: 3 })
  })

  it('stores late responses, unless their delivery was deleted', () => {
    const reason = 'Nothing listens there.'
    const waiting = [1, 2, 3, 4].map((id) => delivery(id, { status: null }))
    const store = storeWith([...waiting, responses(1, 4, [1, 2, 3, 4])])
    const late: GroupItem[] = [
      lateResponse(1, { status: 502, respondedBy: 'hold', reason }),
      lateResponse(2),
      lateResponse(3, { status: null, reason: 'Dropped.' }),
      lateResponse(99, { reason }),
    ]
    expect(take(store.ingest, late)).toEqual([1, 2, 3, 99])
    expect(responsesOf(store, 1, 2, 3, 4)).toEqual([
      [502, 5000, 'hold'],
      [200, 5000, 'rule'],
      [null, null, 'rule'],
      [null, null, null],
    ])
    const reasons = [1, 2, 3, 4].map((id) => readDelivery(readerOf(store), id)?.reason)
    expect(reasons).toEqual([reason, null, 'Dropped.', null])
  })

  it('keeps the order of arrival when the clock is set back, and no negative time of a response', () => {
    const hourUs = 3_600_000_000
    const store = storeWith([
      delivery(1),
      delivery(2),
      { kind: 'responses', responses: { from: 1, to: 1, atUs: firstUs - hourUs, lost: [] } },
      lateResponse(2, { atUs: firstUs - hourUs }),
      delivery(3, { receivedUs: firstUs - hourUs }),
    ])
    const page = { filter: '', upTo: null, asOf: firstUs / 1000, offset: 0, limit: 10 }
    const { rows } = createSearch(readerOf(store)).page(page)
    expect(rows.map(({ id, receivedAt, responseMs }) => [id, receivedAt, responseMs])).toEqual([
      [3, (firstUs - hourUs) / 1000, null],
      [2, firstUs / 1000 + 2000, 0],
      [1, firstUs / 1000 + 1000, 0],
    ])
  })

  it('stores a group completely or not at all, and its IDs stay free', () => {
    const store = storeWith([delivery(1)])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- which the store refuses
    const broken = delivery(3, { path: null as unknown as string })
    const before = { tally: store.ingest.tally(), stats: readStats(readerOf(store)) }
    expect(() => take(store.ingest, [delivery(2), broken])).toThrow('NOT NULL')
    expect(store.ingest.tally()).toEqual(before.tally)
    expect(readStats(readerOf(store))).toEqual(before.stats)
    expect(readUnindexed(store.db, [2])).toEqual([])
    const again = createIngest(store.db)
    expect(again.tally()).toEqual(before.tally)
    take(again, [delivery(2)])
    expect(again.tally()).toMatchObject({ lastId: 2, deliveries: 2 })
  })

  it('counts its size, whatever is in the headers', () => {
    const store = storeWith([
      delivery(1, { headers: `X\n${'ÿ'.repeat(99)}`, body: Buffer.alloc(1000) }),
      delivery(2, { headers: '', body: Buffer.alloc(0) }),
    ])
    const stats = { ...counted(store), newestId: 2, indexedId: 0 }
    expect(readStats(readerOf(store))).toEqual(stats)
    expect(store.ingest.tally()).toMatchObject(counted(store) ?? {})
  })
})

describe('a group of a relay', () => {
  it('is stored without a delivery whose values the store refuses, which is counted', () => {
    const store = storeWith()
    const { db, ingest } = store
    db.prepare("INSERT INTO relay_source (relay_id, name) VALUES (1, 'Team')").run()
    const wrong = [{ status: 'x' }, { path: null }, { bytes: { toString: 1 } }]
    // Two of one message.
    const refused = wrong.map((edits, at) =>
      relayed(10 + at, { position: 10 + (at >> 1), ...edits }),
    )
    const taken = ingest.takeRelayed({
      relayId: 1,
      slug: 'bar',
      created: 'then',
      after: 0,
      position: 20,
      forwarded: false,
      skipped: 2,
      deliveries: [relayed(1), ...refused, relayed(20)],
      bodies: Buffer.from('abcde'),
    })
    expect(taken).toEqual({ ids: [1, 2], refused: [10, 11] })
    const bodies = [1, 2].map((id) => Buffer.from(readBody(db, id, 0, 10)?.bytes ?? []).toString())
    expect(bodies).toEqual(['a', 'e'])
    expect(readRelayFacts(db)).toEqual([
      {
        relayId: 1,
        skipped: 4,
        deliveries: 2,
        positions: [{ slug: 'bar', created: 'then', position: 20 }],
      },
    ])
    expect(counted(store)?.deliveries).toBe(ingest.tally().deliveries)
  })
})

function relayed(n: number, edits: object = {}): RelayedDelivery {
  const { body: _, ...one } = newDelivery(n)
  const uid = Buffer.alloc(16, n)
  return { ...one, uid, receiver: 'edge-1', position: n, storedBytes: 1, ...edits }
}
