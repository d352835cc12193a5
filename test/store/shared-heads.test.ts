import { describe, expect, it } from 'vitest'
import { readDelivery } from '#engine/deliveries/store.ts'
import { createRetention } from '#engine/deliveries/retention.ts'
import { createSharedHeads, fullHeaders } from '#engine/deliveries/shared-heads.ts'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { contentBytesSql } from '#engine/deliveries/ingest.ts'
import { createIndexer } from '#engine/search/indexer/indexer.ts'
import { deliveryRecord } from '#test/support/journal-records.ts'
import { storeWith } from '#test/support/test-store.ts'

const join = (headers: readonly (readonly [string, string])[]): string => headers.flat().join('\n')
const usual = (n: number, agent = 'Agent/1.0') =>
  join([
    ['Host', '127.0.0.1'],
    ['User-Agent', agent],
    ['X-Id', `id-${n}`],
    ['X-Empty', ''],
    ['X-Sum', `ÿ${n % 2}`],
  ])

type Stored = { id: number; head_id: number | null; headers: string }
const storedIn = (db: Db): Stored[] =>
  prepare<[], Stored>(db, 'SELECT id, head_id, headers FROM delivery_content ORDER BY id').all()
const headsIn = (db: Db): number =>
  prepare<[], number>(db, 'SELECT count(*) FROM shared_head').pluck().get() ?? -1
const headersOf = (db: Db, id: number): string => join(readDelivery(db, id)?.headers ?? [])
const storeOf = (headers: readonly string[]) =>
  storeWith(headers.map((text, i) => deliveryRecord(i + 1, { headers: text })))

describe('shared heads', () => {
  it('are created by the second delivery, and hold what differs until then', () => {
    const { db } = storeOf([1, 2, 3, 4].map((n) => usual(n)))
    expect(storedIn(db)).toEqual([
      { id: 1, head_id: null, headers: usual(1) },
      { id: 2, head_id: 1, headers: 'id-2\nÿ0' },
      { id: 3, head_id: 1, headers: 'id-3\nÿ1' },
      { id: 4, head_id: 1, headers: 'id-4\nÿ0' },
    ])
    for (const n of [1, 2, 3, 4]) expect(headersOf(db, n)).toBe(usual(n))
    expect(readDelivery(db, 3)).toMatchObject({
      httpVersion: '1.1',
      remoteAddress: '127.0.0.1',
      endpointName: 'Sandbox',
      brand: 'Service',
      secretName: 'current',
    })
  })

  it('are replaced when another value differs', () => {
    const { db, ingest } = storeOf([usual(1), usual(2), usual(3, 'Agent/1.1'), usual(4)])
    expect(storedIn(db).map(({ head_id }) => head_id)).toEqual([null, 1, 2, 2])
    expect(storedIn(db)[3]?.headers).toBe('Agent/1.0\nid-4\nÿ0')
    // Continues with the newest head after a restart.
    ingest.heads.reload()
    ingest.take([deliveryRecord(5, { headers: usual(5, 'Agent/2') })], 2)
    expect(storedIn(db)[4]?.head_id).toBe(2)
    for (const n of [1, 2, 4]) expect(headersOf(db, n)).toBe(usual(n))
    expect(headersOf(db, 3)).toBe(usual(3, 'Agent/1.1'))
    expect(headersOf(db, 5)).toBe(usual(5, 'Agent/2'))
  })

  it('restore every text exactly', () => {
    const texts = [
      '',
      'A\n',
      'A\n\nA\n',
      'A\nnull',
      'A\nx\nB\n',
      'A\n"\\',
      'A',
      'A\nx\nB',
      '\n',
      '\n\n\n',
      `A\n${'x'.repeat(5000)}`,
    ].flatMap((text) => [text, text, text.replace('x', 'y'), text])
    const { db, ingest } = storeOf(texts)
    for (const [i, text] of texts.entries()) {
      const { head, headers } =
        prepare<[number], { head: string | null; headers: string }>(
          db,
          'SELECT head, headers FROM captured_content WHERE id = ?',
        ).get(i + 1) ?? {}
      expect(fullHeaders(head ?? null, headers ?? '')).toBe(text)
    }
    expect(headsIn(db)).toBeGreaterThan(3)
    const bytes = prepare<[], number>(db, `SELECT sum(${contentBytesSql}) FROM delivery_content`)
    expect(bytes.pluck().get()).toBe(ingest.tally().bytes)
  })

  it('are not shared by deliveries of another type, endpoint, brand or secret', () => {
    const { db } = storeOf([])
    const heads = createSharedHeads(db)
    const fields = { httpVersion: '1.1', endpointName: 'a', brand: 'b', secretName: null }
    const put = (type: string | null, changed: object) =>
      heads.put(type, { ...fields, headers: 'A\n1', ...changed }).headId
    expect([put('T', {}), put('T', {})]).toEqual([null, 1])
    expect(put(null, {})).toBeNull()
    expect(put('T', { httpVersion: '1.0' })).toBeNull()
    expect(put('T', { endpointName: null })).toBeNull()
    expect(put('T', { brand: 'c' })).toBeNull()
    expect(put('T', { secretName: 'current' })).toBeNull()
    expect(put('T', { headers: 'a\n1' })).toBeNull()
    expect(put('T', {})).toBe(1)
  })

  it('are forgotten if their transaction fails', () => {
    const { db, ingest } = storeOf([usual(1)])
    const again = [deliveryRecord(2, { headers: usual(2) }), deliveryRecord(1)]
    expect(() => ingest.take(again, 9)).toThrow(/UNIQUE/)
    ingest.take(
      [2, 3, 4].map((n) => deliveryRecord(n, { headers: usual(n) })),
      9,
    )
    for (const n of [1, 2, 3, 4]) expect(headersOf(db, n)).toBe(usual(n))
  })

  it('are deleted with the last of their deliveries', () => {
    const { db, ingest } = storeOf([usual(1), usual(2), usual(3), usual(4, 'Agent/2')])
    const retention = createRetention(db, ingest, createIndexer(db, ingest))
    expect(headsIn(db)).toBe(2)
    retention.remove([2])
    expect(headsIn(db)).toBe(2)
    retention.remove([3])
    expect(headsIn(db)).toBe(1)
    expect(retention.step({ deliveries: 0, bytes: 0 })).toBe(2)
    expect(headsIn(db)).toBe(0)
    ingest.take(
      [5, 6, 7].map((n) => deliveryRecord(n, { headers: usual(n) })),
      9,
    )
    for (const n of [5, 6, 7]) expect(headersOf(db, n)).toBe(usual(n))
    expect(ingest.tally().deliveries).toBe(3)
  })
})
