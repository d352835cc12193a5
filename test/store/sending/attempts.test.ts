import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readUnindexed } from '#engine/deliveries/store.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { createRetention } from '#engine/deliveries/retention.ts'
import {
  createRecord,
  type AttemptLimits,
  readAttempt,
  readAttemptBody,
  readAttempts,
} from '#engine/sending/store/attempts.ts'
import { deleteDraft } from '#engine/sending/store/drafts.ts'
import { attempted } from '#test/support/attempts.ts'
import { delivery } from '#test/support/groups.ts'
import { storeWith, type TestStore } from '#test/support/test-store.ts'

interface Recording extends TestStore {
  readonly changed: number[]
  readonly record: (
    ...attempts: Parameters<typeof attempted>
  ) => Promise<Awaited<ReturnType<ReturnType<typeof createRecord>>>[number]>
  readonly write: ReturnType<typeof createRecord>
}

function recording(deliveries = 3, limits?: AttemptLimits): Recording {
  const store = storeWith(Array.from({ length: deliveries }, (_, i) => delivery(i + 1)))
  const changed: number[] = []
  const write = createRecord(store.db, (ids) => changed.push(...ids), limits)
  return {
    ...store,
    changed,
    write,
    record: async (overrides) => {
      const [summary] = await write({ attempts: [attempted(overrides)], settled: [], skips: [] })
      return summary ?? null
    },
  }
}

const tallyOf = (db: Db) => db.prepare('SELECT attempts, bytes FROM attempt_tally').get()
const countedOf = (db: Db) =>
  db
    .prepare('SELECT count(*) AS attempts, coalesce(sum(stored_bytes), 0) AS bytes FROM attempt')
    .get()
const sentOf = (db: Db, id: number) => readUnindexed(db, [id])[0]?.lastAttempt
const idsIn = (db: Db, table: string) =>
  db.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all()

it('why a delivery was not forwarded is stored once for each target, unless it was sent there at another time', async () => {
  const { db, write } = recording(1)
  const url = 'http://127.0.0.1:3000/'
  const skip = { deliveryId: 1, forwardId: 1, url, reason: 'Too many waited.' }
  const skips = [skip, { ...skip, forwardId: 2, reason: 'It was off.' }, { ...skip, deliveryId: 9 }]
  await write({ attempts: [], settled: [], skips: [...skips, skip] })
  expect(readAttempts(db, { deliveryId: 1, limit: 1 }).notForwarded).toEqual([
    `Not forwarded to ${url}: Too many waited.`,
    `Not forwarded to ${url}: It was off.`,
  ])
  const forwarded = attempted({ forwardId: 1, kind: 'forward' })
  await write({ attempts: [forwarded], settled: [], skips: [] })
  expect(readAttempts(db, { deliveryId: 1, limit: 1 }).notForwarded).toHaveLength(1)
  db.exec('DELETE FROM delivery')
  expect(db.prepare('SELECT count(*) FROM forward_skip').pluck().get()).toBe(0)
})

describe('the verdict of an attempt', () => {
  it('is null for a deliberately broken signature, and later attempts are not compared with it', async () => {
    const { record } = recording()
    const good = await record({ status: 200 })
    expect(await record({ status: 401, signing: 'broken' })).toMatchObject({
      comparison: null,
      previousAttemptId: good?.id,
    })
    expect(await record({ status: 200 })).toMatchObject({
      comparison: 'same',
      previousAttemptId: good?.id,
    })
    expect(await record({ status: 401 })).toMatchObject({ comparison: 'regressed' })
  })

  it('compares with the previous attempt to the same URL', async () => {
    const { record } = recording()
    const first = await record({ status: 500 })
    expect(first).toMatchObject({ comparison: null, previousAttemptId: null })
    expect(await record({ status: 404 })).toMatchObject({
      comparison: 'same',
      previousAttemptId: first?.id,
    })
    expect(await record({ status: 204 })).toMatchObject({ comparison: 'fixed' })
    expect(await record({ status: 200 })).toMatchObject({ comparison: 'same' })
    expect(await record({ status: 301 })).toMatchObject({ comparison: 'regressed' })
    // Attempts in between to another URL, or of another delivery, do not count.
    expect(await record({ url: 'http://127.0.0.1:3000/other' })).toMatchObject({ comparison: null })
    expect(await record({ deliveryId: 2 })).toMatchObject({ comparison: null })
    expect(await record({ status: 302 })).toMatchObject({ comparison: 'same' })
  })

  it('does not count a truncated response as a response', async () => {
    const { record, db } = recording()
    await record({ status: 200 })
    const error = { code: 'reset', message: 'The connection was reset.' } as const
    expect(await record({ status: 200, error })).toMatchObject({ comparison: 'regressed' })
    expect(sentOf(db, 1)).toEqual({ status: null })
    expect(await record({ status: 200 })).toMatchObject({ comparison: 'fixed' })
  })

  it('also compares within one group', async () => {
    const { write } = recording()
    const rows = await write({
      attempts: [attempted({ status: 500 }), attempted(), attempted()],
      settled: [],
      skips: [],
    })
    expect(rows.map((row) => row?.comparison)).toEqual([null, 'fixed', 'same'])
  })

  it('of a draft compares with the same draft, and is null without a draft or delivery', async () => {
    const { record } = recording()
    const draft = { deliveryId: null, kind: 'compose', draftId: 7 } as const
    await record({ ...draft, status: 500 })
    // The same draft, based on a delivery: counts for the delivery.
    expect(await record({ draftId: 7 })).toMatchObject({ comparison: null })
    expect(await record(draft)).toMatchObject({ comparison: 'fixed' })
    expect(await record({ ...draft, draftId: 8 })).toMatchObject({ comparison: null })
    expect(await record({ ...draft, draftId: null })).toMatchObject({ comparison: null })
    expect(await record({ ...draft, draftId: null })).toMatchObject({ comparison: null })
  })

  it('stays if the previous attempt is deleted, whose ID is then omitted', async () => {
    const { record, db } = recording(3, { attempts: 1, bytes: 2 ** 40 })
    await record({ status: 500 })
    const second = await record()
    expect(second).toMatchObject({ comparison: 'fixed', previousAttemptId: 1 })
    expect(readAttempt(db, second?.id ?? 0)).toMatchObject({
      comparison: 'fixed',
      previousAttemptId: null,
    })
  })
})

describe('an attempt', () => {
  it('that was sent as captured uses the head of its delivery, with the Host of its target', async () => {
    const body = Buffer.from('{"n":1}')
    const store = storeWith([
      delivery(1, { headers: 'x\n1\nhOST\n127.0.0.1:4780\nX\n2', trailers: 't\nend', body }),
      delivery(2, { headers: 'x\n1' }),
    ])
    const write = createRecord(store.db, () => undefined)
    const url = 'http://localhost:3000/in?a=1'
    const request = { target: '/in?%61=1' }
    const attempts = [attempted({ url, request }), attempted({ deliveryId: 2, url, request })]
    await write({ attempts, settled: [], skips: [] })
    expect(readAttempt(store.db, 1)?.request).toEqual({
      target: '/in?%61=1',
      headers: [
        ['x', '1'],
        ['hOST', 'localhost:3000'],
        ['X', '2'],
      ],
      trailers: [['t', 'end']],
      sha256: createHash('sha256').update(body).digest('hex'),
    })
    expect(readAttempt(store.db, 2)?.request.headers).toEqual([
      ['Host', 'localhost:3000'],
      ['x', '1'],
    ])
  })

  it('of a deleted delivery is omitted', async () => {
    const { write, db } = recording()
    const rows = await write({
      attempts: [attempted({ deliveryId: 99 }), attempted()],
      settled: [],
      skips: [],
    })
    expect(rows.map((row) => row?.deliveryId ?? null)).toEqual([null, 1])
    expect(idsIn(db, 'attempt')).toHaveLength(1)
  })
})

describe('the body of an attempt', () => {
  const ask = { offset: 0, length: 1000, decoded: false } as const
  async function textOf(db: Db, id: number, which: 'request' | 'response', asked = ask) {
    const slice = readAttemptBody(db, { id, which, ...asked })
    return slice && `${Buffer.from(slice.bytes).toString()} of ${slice.size}`
  }

  it('is the delivery’s if it was sent as captured', async () => {
    const { record, db } = recording()
    await record()
    expect(idsIn(db, 'attempt_body')).toEqual([])
    expect(await textOf(db, 1, 'request')).toBe('{"type":"OPEN_TAB","n":1} of 25')
    expect(await textOf(db, 1, 'response')).toBe(' of 0')
    expect(await textOf(db, 99, 'request')).toBeNull()
  })

  it('is stored if it differs, even if it is empty', async () => {
    const { record, db } = recording()
    await record({ requestBody: Buffer.from('mine'), answerBody: Buffer.from('theirs') })
    await record({ requestBody: new Uint8Array() })
    await record({ answerBody: Buffer.from('only theirs') })
    expect(await textOf(db, 1, 'request')).toBe('mine of 4')
    expect(await textOf(db, 1, 'response')).toBe('theirs of 6')
    expect(await textOf(db, 2, 'request')).toBe(' of 0')
    expect(await textOf(db, 3, 'request')).toBe('{"type":"OPEN_TAB","n":1} of 25')
    const slice = readAttemptBody(db, { id: 1, which: 'response', ...ask, offset: 2, length: 3 })
    expect(Buffer.from(slice?.bytes ?? []).toString()).toBe('eir')
  })

  it('is decoded according to its own headers', async () => {
    const { record, db } = recording()
    await record({
      answerBody: gzipSync('decoded'),
      response: {
        status: 200,
        statusText: '',
        httpVersion: '1.1',
        headers: [['Content-Encoding', 'gzip']],
        storedBytes: 27,
      },
    })
    const decoded = { ...ask, decoded: true } as const
    expect(readAttemptBody(db, { id: 1, which: 'response', ...decoded })).toMatchObject({
      bytes: new Uint8Array(Buffer.from('decoded')),
      size: 7,
    })
    const request = readAttemptBody(db, { id: 1, which: 'request', ...decoded })
    expect(request?.size).toBe(25)
  })
})

describe('the limits of attempts', () => {
  it('delete the oldest first, never the one just written', async () => {
    const { record, db, changed } = recording(3, { attempts: 3, bytes: 2 ** 40 })
    for (const deliveryId of [1, 1, 2, 2, 2]) await record({ deliveryId })
    expect(idsIn(db, 'attempt')).toEqual([3, 4, 5])
    expect(tallyOf(db)).toEqual(countedOf(db))
    // No attempts are left, which is stored with the delivery and reported.
    expect(sentOf(db, 1)).toBeNull()
    expect(sentOf(db, 2)).toEqual({ status: 200 })
    expect(changed).toEqual([1, 2, 1])
  })

  it('count the bytes of records and bodies', async () => {
    const { record, db } = recording(3, { attempts: 1000, bytes: 50_000 })
    for (let n = 0; n < 20; n += 1) await record({ answerBody: Buffer.alloc(10_000) })
    const left = idsIn(db, 'attempt')
    expect(left).toEqual([17, 18, 19, 20])
    expect(idsIn(db, 'attempt_body')).toEqual(left)
    expect(tallyOf(db)).toEqual(countedOf(db))
    await record({ requestBody: Buffer.alloc(90_000) })
    expect(idsIn(db, 'attempt')).toEqual([21])
  })

  it('apply within a group that exceeds them', async () => {
    const { write, db } = recording(3, { attempts: 10, bytes: 2 ** 40 })
    await write({
      attempts: Array.from({ length: 500 }, () => attempted()),
      settled: [],
      skips: [],
    })
    expect(idsIn(db, 'attempt')).toEqual(Array.from({ length: 10 }, (_, n) => 491 + n))
    expect(tallyOf(db)).toEqual(countedOf(db))
  })
})

describe('the space of attempts', () => {
  it('is correct after retention deleted deliveries', async () => {
    const { db, ingest, record } = recording(3)
    for (const deliveryId of [1, 1, 2, 3])
      await record({ deliveryId, answerBody: Buffer.alloc(100) })
    createRetention(db, ingest, () => undefined).step({ deliveries: 1, bytes: 2 ** 40, days: 0 })
    expect(idsIn(db, 'attempt')).toEqual([4])
    expect(idsIn(db, 'attempt_body')).toEqual([4])
    expect(tallyOf(db)).toEqual(countedOf(db))
  })

  it('is correct after deliveries were cleared, except pinned ones', async () => {
    const { db, ingest, record } = recording(3)
    for (const deliveryId of [1, 2, 3]) await record({ deliveryId, answerBody: Buffer.alloc(9) })
    await record({ deliveryId: null, draftId: 1, kind: 'compose', answerBody: Buffer.alloc(9) })
    db.exec('UPDATE delivery SET pinned = 1 WHERE id = 2')
    createRetention(db, ingest, () => undefined).clear()
    expect(idsIn(db, 'attempt')).toEqual([2, 4])
    expect(idsIn(db, 'attempt_body')).toEqual([2, 4])
    expect(tallyOf(db)).toEqual(countedOf(db))
    expect(sentOf(db, 2)).toEqual({ status: 200 })
  })

  it('is correct after a draft was deleted with its attempts that belong to no delivery', async () => {
    const { db, record } = recording()
    await record({ draftId: 5 })
    await record({ deliveryId: null, draftId: 5, kind: 'compose', answerBody: Buffer.alloc(9) })
    deleteDraft(db, 5)
    expect(idsIn(db, 'attempt')).toEqual([1])
    expect(tallyOf(db)).toEqual(countedOf(db))
  })
})
