import { describe, expect, it } from 'vitest'
import {
  historyLimits,
  insertExchange,
  readExchange,
  readExchangeBody,
  readExchangeSecret,
  readHistory,
  type ExchangeFields,
  deleteSaved,
  readSaved,
  writeSaved,
} from '#engine/authorization/api-console/store.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { storeWith } from '#test/support/test-store.ts'

const request = {
  integrationId: 1,
  tokenId: 7,
  method: 'GET',
  path: '/things',
  query: [],
  headers: [{ name: 'A', value: '1', on: false }],
  body: '',
}

const fields = (more: Partial<ExchangeFields> = {}): ExchangeFields => ({
  integrationId: 1,
  tokenId: 7,
  sentAt: 1_700_000_000_000,
  method: 'GET',
  url: 'https://api.example/things',
  status: 200,
  durationMs: 12.5,
  bytes: 4,
  record: {
    request,
    hops: [],
    error: null,
    advice: null,
    maskedValues: [{ name: 'kept_cookie', label: 'Cookie', ending: null }],
    storedBytes: 4,
  },
  own: { endedAt: 1_700_000_000_100 },
  body: Buffer.from('body'),
  sealed: [{ name: 'kept_cookie', value: Buffer.from('sealed') }],
  ...more,
})

const idsOf = (db: Db): number[] => readHistory(db, { limit: 1000 }).map(({ id }) => id)
const count = (db: Db, table: string): unknown =>
  db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()

describe('exchanges', () => {
  it('are read as they were written', () => {
    const { db } = storeWith()
    const id = insertExchange(db, fields())
    const { record, own: _, body: __, sealed: ___, ...summary } = fields()
    expect(readExchange(db, id)).toEqual({ id, ...summary, ...record })
    expect(readHistory(db, { limit: 10 })).toEqual([{ id, ...summary }])
    const { bytes, size } = readExchangeBody(db, { id, offset: 1, length: 2 }) ?? {
      bytes: [],
      size: 0,
    }
    expect([Buffer.from(bytes).toString(), size]).toEqual(['od', 4])
    expect(readExchangeSecret(db, { id, name: 'kept_cookie' })).toMatchObject({
      sealed: Buffer.from('sealed'),
      endedAt: 1_700_000_000_100,
    })
    expect(readExchangeSecret(db, { id, name: 'other' })?.sealed).toBeNull()
    expect(readExchange(db, id + 1)).toBeNull()
    expect(readExchangeSecret(db, { id: id + 1, name: 'kept_cookie' })).toBeNull()
  })

  it('are listed newest first, page by page, of one integration or of all', () => {
    const { db } = storeWith()
    db.exec("INSERT INTO integration (id, name, brand, base_url) VALUES (2, 'B', 'B', '')")
    const ids = [1, 2, 1, 2].map((integrationId) => insertExchange(db, fields({ integrationId })))
    expect(idsOf(db)).toEqual(ids.toReversed())
    expect(readHistory(db, { limit: 2, before: ids[2] }).map(({ id }) => id)).toEqual([
      ids[1],
      ids[0],
    ])
    expect(readHistory(db, { limit: 9, integrationId: 2 }).map(({ id }) => id)).toEqual([
      ids[3],
      ids[1],
    ])
  })

  it('are limited in number, oldest deleted first', () => {
    const { db } = storeWith()
    expect(historyLimits).toEqual({ exchanges: 500, bytes: 256 * 1024 * 1024 })
    for (let at = 0; at < 503; at += 1) insertExchange(db, fields())
    expect(idsOf(db)).toHaveLength(500)
    expect(idsOf(db).at(-1)).toBe(4)
    expect(count(db, 'api_exchange_body')).toBe(500)
    expect(count(db, 'api_exchange_secret')).toBe(500)
  })

  it('are limited in size, oldest deleted first, and the newest stays whatever its size', () => {
    const { db } = storeWith()
    const limits = { exchanges: 500, bytes: 10_000 }
    const of = (body: number, asked = 0) =>
      insertExchange(
        db,
        fields({
          body: Buffer.alloc(body),
          record: { ...fields().record, request: { ...request, body: 'x'.repeat(asked) } },
        }),
        limits,
      )
    of(4000)
    const kept = [of(4000), of(3000)]
    expect(idsOf(db)).toEqual(kept.toReversed())
    const asked = of(0, 8000)
    expect(idsOf(db)).toEqual([asked])
    const large = of(1_000_000)
    expect(idsOf(db)).toEqual([large])
  })
})

it('saved requests are read as they were written, by name, replaced and deleted', () => {
  const { db } = storeWith()
  const b = writeSaved(db, { id: null, fields: { name: 'b', request, savedAt: 5 } })
  const a = writeSaved(db, { id: null, fields: { name: 'A', request, savedAt: 6 } })
  expect(readSaved(db)).toEqual([
    { id: a, name: 'A', request, savedAt: 6 },
    { id: b, name: 'b', request, savedAt: 5 },
  ])
  writeSaved(db, { id: b, fields: { name: 'c', request, savedAt: 7 } })
  deleteSaved(db, a)
  expect(readSaved(db)).toEqual([{ id: b, name: 'c', request, savedAt: 7 }])
  expect(() => writeSaved(db, { id: a, fields: { name: 'A', request, savedAt: 8 } })).toThrow(
    'does not exist',
  )
})
