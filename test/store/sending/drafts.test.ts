import { describe, expect, it } from 'vitest'
import type { DraftContent } from '#contract/compose.ts'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { createSendWrites } from '#engine/sending/store/send-writes.ts'
import {
  deleteDraft,
  maxDrafts,
  readDraft,
  readDrafts,
  writeDraft,
  type DraftFields,
} from '#engine/sending/store/drafts.ts'
import { delivery } from '#test/support/groups.ts'
import { plansOf } from '#test/support/plans.ts'
import { storeWith } from '#test/support/test-store.ts'

const content: DraftContent = {
  origin: { kind: 'empty' },
  endpointId: 1,
  method: 'POST',
  url: 'http://127.0.0.1:3000/{{uuid}}',
  headers: [{ name: 'X-Latin', value: 'ÿ\n', on: false, byHand: true }],
  body: { kind: 'bytes', bytes: new Uint8Array(Buffer.from('{"type":"OPEN_TAB"}')) },
  sign: { how: 'broken', endpointId: 1, which: 'current', fault: 'prefix' },
  placeholders: true,
}

function save(db: Db, changes: Partial<DraftFields> = {}) {
  return writeDraft(db, { id: null, name: undefined, content, at: 1000, ...changes })
}

const bytes = (text: string): DraftContent['body'] => ({
  kind: 'bytes',
  bytes: new Uint8Array(Buffer.from(text)),
})

describe('a draft', () => {
  it('has a unique, case-insensitive name', () => {
    const { db } = storeWith()
    save(db, { name: 'Zoë' })
    expect(() => save(db, { name: 'ZOË' })).toThrow(expect.objectContaining({ code: 'name_taken' }))
    save(db, { name: 'Other' })
    expect(() => save(db, { id: 2, name: 'zoë' })).toThrow(
      expect.objectContaining({ code: 'name_taken' }),
    )
    expect(save(db, { id: 1, name: 'ZOË' })).toMatchObject({ name: 'ZOË' })
    expect([save(db).name, save(db).name]).toEqual([null, null])
  })

  it.each<[title: string, changes: Partial<DraftContent>]>([
    ['ORDER_PLACED', { body: bytes('{"type":"ORDER_PLACED","n":1}') }],
    ['body.bin', { origin: { kind: 'file', name: 'body.bin' }, body: bytes('\0\0') }],
    ['CLOSE_TAB', { origin: { kind: 'sample', type: 'CLOSE_TAB' }, body: bytes('{{uuid}}') }],
    ['PUT http://x/y', { method: 'PUT', url: 'http://x/y', body: bytes('[1]') }],
    ['Empty', { url: ' ', body: bytes('') }],
    ['OPEN_TAB', { origin: { kind: 'delivery', deliveryId: 1 }, body: { kind: 'captured' } }],
    [
      'POST http://x/',
      { url: 'http://x/', origin: { kind: 'delivery', deliveryId: 9 }, body: { kind: 'captured' } },
    ],
  ])('is called %s', (title, changes) => {
    const { db } = storeWith([delivery(1)])
    expect(save(db, { content: { ...content, ...changes } }).title).toBe(title)
  })

  it('counts its sends in order', () => {
    const { db } = storeWith()
    save(db)
    const { takeCounter } = createSendWrites(db, (work) => work())
    expect([takeCounter(1), takeCounter(1), takeCounter(1)]).toEqual([1, 2, 3])
    expect(readDraft(db, 1)?.counter).toBe(4)
    save(db, { id: 1 })
    expect(readDraft(db, 1)?.counter).toBe(4)
    expect([takeCounter(7), takeCounter(7)]).toEqual([1, 1])
  })
})

describe('drafts', () => {
  it('are limited in number', () => {
    const { db } = storeWith()
    for (let n = 0; n < maxDrafts; n += 1) save(db)
    expect(() => save(db)).toThrow(expect.objectContaining({ code: 'bad_input' }))
    expect(save(db, { id: 5, at: 2000 }).id).toBe(5)
    deleteDraft(db, 7)
    expect(save(db).id).toBe(maxDrafts + 1)
  })

  it('are listed without reading their bodies', async () => {
    const { db } = storeWith()
    save(db)
    expect(await columnsRead(db, (spied) => readDrafts(spied))).not.toContain('body')
    expect(await columnsRead(db, (spied) => readDraft(spied, 1))).toContain('body')
  })
})

/** The columns of `draft` that SQLite reads from a row. */
async function columnsRead(db: Db, run: (spied: Db) => unknown): Promise<string[]> {
  const names = prepare<[], { cid: number; name: string }>(db, 'PRAGMA table_info(draft)').all()
  const statements = await plansOf(db, run)
  return statements.flatMap(({ sql }) => {
    const steps = prepare<number[], { opcode: string; p1: number; p2: number }>(
      db,
      `EXPLAIN ${sql}`,
    ).all(...Array.from(sql.matchAll(/\?/g), () => 1))
    // Others are read from the sorted rows.
    const table = steps.find(({ opcode }) => opcode === 'OpenRead')?.p1
    return steps
      .filter(({ opcode, p1 }) => opcode === 'Column' && p1 === table)
      .map(({ p2 }) => names.find(({ cid }) => cid === p2)?.name ?? '')
  })
}
