import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { journalDir, segmentPath, type JournalRecord } from '#engine/capture/journal-format.ts'
import { storePath } from '#engine/store/data-folder.ts'
import type { Store } from '#engine/store/store.ts'
import { answersRecord, deliveryRecord, encode } from '#test/support/journal-records.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

function segment(folder: string, start: number, ...records: JournalRecord[]): number {
  mkdirSync(journalDir(folder), { recursive: true })
  const bytes = encode(records)
  writeFileSync(segmentPath(journalDir(folder), start), bytes)
  return start + bytes.byteLength
}

async function idsIn(store: Store): Promise<number[]> {
  await store.writer.call('catchUp')
  const rows = await store.reader.call('since', { after: 0, limit: 1000 })
  return rows.map(({ id }) => id)
}

describe('a delivery acknowledged before a crash', () => {
  it('is in the store once after the next start, however often it starts', async () => {
    const folder = tempFolder()
    const end = segment(
      folder,
      0,
      deliveryRecord(1),
      deliveryRecord(2),
      answersRecord(1, 2, [2]),
      deliveryRecord(3),
    )
    const first = await openTestStore(folder)
    expect(first.store.journal).toMatchObject({ end, nextId: 4 })
    expect(await idsIn(first.store)).toEqual([1, 2, 3])
    await first.close()
    const again = await openTestStore(folder)
    expect(again.store.journal).toMatchObject({ end, nextId: 4 })
    expect(await idsIn(again.store)).toEqual([1, 2, 3])
    expect(await again.store.reader.call('get', 2)).toMatchObject({ status: null })
  })

  it('is in the store once if the last responses are in the segment before', async () => {
    const folder = tempFolder()
    const next = segment(folder, 0, deliveryRecord(1), answersRecord(1, 1), deliveryRecord(2))
    segment(folder, next, deliveryRecord(3))
    const { store } = await openTestStore(folder)
    expect(await idsIn(store)).toEqual([1, 2, 3])
  })

  it('is ingested from the journal again after a damaged store was moved aside', async () => {
    const folder = tempFolder()
    // Completely ingested journal files are deleted, so the rest may start anywhere.
    const end = segment(
      folder,
      90_000,
      deliveryRecord(41),
      deliveryRecord(42),
      answersRecord(41, 42),
    )
    segment(folder, end, deliveryRecord(43))
    writeFileSync(storePath(folder), 'no database at all '.repeat(400))
    const { store } = await openTestStore(folder)
    expect(store.setAside).toBe(`${storePath(folder)}.damaged-now`)
    expect(store.journal.nextId).toBe(44)
    expect(await idsIn(store)).toEqual([41, 42, 43])
    expect(await store.reader.call('stats')).toMatchObject({ deliveries: 3, newestId: 43 })
    expect(store.initial.endpoints).toHaveLength(1)
  })

  it('continues in the segment after a damaged one', async () => {
    const folder = tempFolder()
    const end = segment(folder, 0, deliveryRecord(1), deliveryRecord(2))
    segment(folder, end + 500, deliveryRecord(3), answersRecord(3, 3))
    const { store } = await openTestStore(folder)
    expect(await idsIn(store)).toEqual([1, 2, 3])
  })

  it('blocks nothing else while the journal is missing, and is read when it is restored', async () => {
    const folder = tempFolder()
    const { store, events } = await openTestStore(folder)
    const records = [deliveryRecord(1), answersRecord(1, 1)]
    store.progress.publish(encode(records).byteLength, 1)
    const failing = () => events.findLast((event) => event.event === 'failing')
    await until('the failure', () => failing()?.reason)
    expect(failing()?.reason).toContain('Restore its files')
    await expect(store.writer.call('catchUp')).rejects.toThrow('cannot be read')
    segment(folder, 0, ...records)
    await until('the end of the failure', () => failing()?.reason === null)
    expect(await idsIn(store)).toEqual([1])
  })

  it('is reported to the interface, late responses as changes', async () => {
    const folder = tempFolder()
    // The group is too large to wait for its response, which comes with the next read.
    segment(
      folder,
      0,
      deliveryRecord(1, { body: Buffer.alloc(64 * 1024 * 1024) }),
      answersRecord(1, 1, [1]),
    )
    const { store, events, close } = await openTestStore(folder)
    expect(await idsIn(store)).toEqual([1])
    expect(await store.reader.call('get', 1)).toMatchObject({ status: null, responseMs: null })
    await close()
    expect(events).toContainEqual({
      event: 'changed',
      rows: [expect.objectContaining({ id: 1, status: null })],
    })
  })

  it('leaves no journal file that is completely ingested', async () => {
    const folder = tempFolder()
    const one = segment(folder, 0, deliveryRecord(1))
    const two = segment(folder, one, deliveryRecord(2))
    segment(folder, two, deliveryRecord(3))
    const { store } = await openTestStore(folder)
    expect(await idsIn(store)).toEqual([1, 2, 3])
    expect(readdirSync(journalDir(folder))).toHaveLength(1)
  })
})

describe('the writer thread', () => {
  it('enforces a lower limit without blocking other calls', async () => {
    const folder = tempFolder()
    segment(folder, 0, ...Array.from({ length: 3000 }, (_, i) => deliveryRecord(i + 1)))
    const { store, events } = await openTestStore(folder)
    await store.writer.call('catchUp')
    const done: string[] = []
    await Promise.all([
      store.writer.call('keep', { deliveries: 10, bytes: 2 ** 40 }).then(() => done.push('keep')),
      store.writer.call('pin', { id: 3000, pinned: true }).then(() => done.push('pin')),
    ])
    expect(done).toEqual(['pin', 'keep'])
    expect(await idsIn(store)).toEqual(Array.from({ length: 10 }, (_, i) => 2991 + i))
    expect(events).toContainEqual(expect.objectContaining({ event: 'removed' }))
  })
})

const indexedUpTo = (store: Store, id: number) =>
  until(`the index at ${id}`, async () => {
    const { indexedId } = await store.reader.call('stats')
    return indexedId >= id ? indexedId : null
  })

describe('the search index', () => {
  it('follows what is stored, and reports its progress', async () => {
    const folder = tempFolder()
    const again = { type: null, body: Buffer.from('twice') }
    segment(
      folder,
      0,
      ...Array.from({ length: 500 }, (_, i) => deliveryRecord(i + 1)),
      deliveryRecord(501, again),
      deliveryRecord(502, again),
    )
    const { store, events } = await openTestStore(folder)
    await store.writer.call('catchUp')
    await indexedUpTo(store, 502)
    const pushed = await until('the word of it', () =>
      events.findLast((event) => event.event === 'indexed' && event.stats.indexedId === 502),
    )
    expect(pushed).toMatchObject({ stats: { deliveries: 502, newestId: 502, behind: 0 } })
    expect(events).toContainEqual({
      event: 'changed',
      rows: [expect.objectContaining({ id: 502, duplicateOf: { id: 501, by: 'body' } })],
    })
    const { stats } = await store.writer.call('clear')
    expect(stats).toMatchObject({ deliveries: 0, indexedId: 0, newestId: 502 })
    await indexedUpTo(store, 502)
  })

  it('follows while deliveries keep arriving', async () => {
    const folder = tempFolder()
    segment(folder, 0, deliveryRecord(1))
    const { store } = await openTestStore(folder)
    await store.writer.call('catchUp')
    const path = segmentPath(journalDir(folder), 0)
    let end = store.journal.end
    let id = 1
    let indexed = 0
    // An index that waits for a pause has only the first. How fast a working one is depends on the load of the machine.
    while (indexed < 10 && id < 5000) {
      id += 1
      const bytes = encode([deliveryRecord(id), answersRecord(id, id)])
      appendFileSync(path, bytes)
      end += bytes.byteLength
      store.progress.publish(end, id)
      // Much shorter than the quiet time.
      await pause(3)
      indexed = (await store.reader.call('stats')).indexedId
    }
    expect(indexed).toBeGreaterThanOrEqual(10)
    await indexedUpTo(store, id)
  })

  it('does not block arrivals when it cannot be written, and is reported once', async () => {
    const folder = tempFolder()
    const end = segment(folder, 0, deliveryRecord(1))
    const { db } = storeWith([], folder)
    db.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON delivery_ref BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    )
    db.close()
    const { store, events } = await openTestStore(folder)
    await store.writer.call('catchUp')
    const failing = () => events.filter(({ event }) => event === 'indexFailing')
    await until('the failure', () => failing()[0])
    const bytes = encode([deliveryRecord(2), answersRecord(2, 2)])
    appendFileSync(segmentPath(journalDir(folder), 0), bytes)
    store.progress.publish(end + bytes.byteLength, 2)
    expect(await idsIn(store)).toEqual([1, 2])
    expect(failing()).toEqual([{ event: 'indexFailing', reason: 'the disk is full' }])
    expect(await store.writer.call('pin', { id: 1, pinned: true })).toMatchObject({ pinned: true })
    expect((await store.reader.call('stats')).indexedId).toBe(0)
  })
})
