import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import type { FromWriter, NewDelivery, ToWriter } from '#engine/deliveries/groups.ts'
import { openReader, openWriter } from '#engine/platform/sqlite.ts'
import { assertReadable } from '#engine/deliveries/damage.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import type { Store } from '#engine/app/threads/store.ts'
import { delivery, newDelivery, responses, type Overrides } from '#test/support/groups.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { indexAll, indexerOf, storeWith, type TestStore } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const none = { bodies: new Uint8Array(), responses: [], late: [] }

/** Sends it as the capture thread does. Returns why it failed. */
async function send({ capturePort }: Store, message: ToWriter): Promise<string | null> {
  const replied = new Promise<FromWriter>((resolve) => capturePort.once('message', resolve))
  capturePort.postMessage(message)
  return (await replied).failed
}

function sendGroup(store: Store, firstId: number, count = 1, overrides: Overrides = {}) {
  const deliveries = Array.from({ length: count }, (_, index): NewDelivery =>
    newDelivery(firstId + index, overrides),
  )
  return send(store, { kind: 'group', group: { deliveries, ...none } })
}

async function idsIn(store: Store): Promise<number[]> {
  const rows = await store.reader.call('since', { after: 0, limit: 1000 })
  return rows.map(({ id }) => id)
}

const many = (count: number) => Array.from({ length: count }, (_, i) => delivery(i + 1))
const searchPath = (folder: string) => path.join(folder, 'search.db')

/** As a process that was killed leaves it. */
function closedStore(store: TestStore): string {
  store.db.close()
  return store.folder
}

describe('the writer thread', () => {
  it('replies when a group is visible to others, and continues its IDs after a restart', async () => {
    const folder = tempFolder()
    const first = await openTestStore(folder)
    expect(first.store.nextId).toBe(1)
    expect(await sendGroup(first.store, 1, 3)).toBeNull()
    expect(first.store.progress.storedId).toBe(3)
    const db = openReader(first.store.path)
    expect(db.prepare('SELECT count(*) FROM delivery').pluck().get()).toBe(3)
    db.close()
    await first.close()
    const { store } = await openTestStore(folder)
    expect(store.nextId).toBe(4)
    expect(await idsIn(store)).toEqual([1, 2, 3])
  })

  it('stores nothing of a group that fails, and the same IDs when it can write again', async () => {
    const made = storeWith()
    const { store } = await openTestStore(made.folder)
    // Not before: a store with a trigger of another program is not opened.
    made.db.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON delivery WHEN new.id = 2 BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    )
    expect(await sendGroup(store, 1, 2)).toContain('SQLITE_CONSTRAINT')
    expect(await idsIn(store)).toEqual([])
    expect(store.progress.storedId).toBe(0)
    made.db.exec('DROP TRIGGER broken')
    expect(await send(store, { kind: 'probe' })).toBeNull()
    expect(await sendGroup(store, 1, 2)).toBeNull()
    expect(await idsIn(store)).toEqual([1, 2])
  })

  it('reports deliveries when their response is known, and late responses as changes', async () => {
    const { store, events } = await openTestStore(tempFolder())
    await sendGroup(store, 1, 2, { status: null })
    const known = { from: 1, to: 2, atUs: 0, lost: [1, 2] }
    const group = { deliveries: [], ...none, responses: [known] }
    store.capturePort.postMessage({ kind: 'group', group } satisfies ToWriter)
    const arrived = await until('the deliveries', () =>
      events.find((event) => event.event === 'arrived'),
    )
    expect(arrived).toMatchObject({
      rows: [{ id: 1 }, { id: 2 }],
      stats: { deliveries: 2, newestId: 2 },
    })
    const late = { id: 2, atUs: 0, status: 500, respondedBy: 'rule', reason: null } as const
    const after = { deliveries: [], ...none, late: [late] }
    store.capturePort.postMessage({ kind: 'group', group: after } satisfies ToWriter)
    await until('the change', () => events.find((event) => event.event === 'changed'))
    expect(events).toContainEqual({ event: 'changed', ids: [2] })
    expect(await store.reader.call('get', 2)).toMatchObject({ status: 500, respondedBy: 'rule' })
  })

  it('deletes deliveries for their age only by a time that was shown a day ago', async () => {
    const keepMonth = { deliveries: 100, bytes: 2 ** 40, days: 30 }
    const folder = closedStore(storeWith([delivery(1, { receivedUs: 0 })]))
    const first = await openTestStore(folder)
    await first.store.writer.call('keep', keepMonth)
    expect(await idsIn(first.store)).toEqual([1])
    await first.close()
    const db = openWriter(storePath(folder))
    db.exec('UPDATE progress SET seen_ms = seen_ms - 86400000')
    db.close()
    const { store } = await openTestStore(folder)
    await store.writer.call('keep', keepMonth)
    expect(await idsIn(store)).toEqual([])
  })

  it('enforces a lower limit without blocking other calls', async () => {
    const { store, events } = await openTestStore(closedStore(storeWith(many(3000))))
    const done: string[] = []
    await Promise.all([
      store.writer
        .call('keep', { deliveries: 10, bytes: 2 ** 40, days: 0 })
        .then(() => done.push('keep')),
      store.writer.call('annotate', { id: 3000, pinned: true }).then(() => done.push('pin')),
    ])
    expect(events.filter(({ event }) => event === 'retentionFailing')).toEqual([])
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

const firstPage = (filter: string) => ({ filter, upTo: null, asOf: 0, offset: 0, limit: 1000 })

async function found(store: Store, filter: string): Promise<number[]> {
  const input = firstPage(filter)
  const page = await until('the result', async () => {
    const result = await store.reader.call('page', input)
    return result.complete ? result : null
  })
  return page.rows.map(({ id }) => id)
}

describe('the search index', () => {
  it('follows what is stored, and reports its progress and repetitions', async () => {
    const again = { type: null, body: Buffer.from('numbat') }
    const items = [...many(500), delivery(501, again), delivery(502, again), responses(1, 502)]
    const { store, indexerEvents } = await openTestStore(closedStore(storeWith(items)))
    await indexedUpTo(store, 502)
    await until('the word of it', () =>
      indexerEvents.find((event) => event.event === 'indexed' && event.indexedId === 502),
    )
    const repeating = indexerEvents.flatMap((event) =>
      event.event === 'indexed' ? event.repeating : [],
    )
    expect(repeating).toEqual([502])
    expect(await store.reader.call('rows', [502])).toMatchObject([
      { duplicateOf: { id: 501, by: 'body' } },
    ])
    expect(await found(store, 'numbat')).toEqual([502, 501])
    await store.writer.call('clear')
    await sendGroup(store, 503, 1, again)
    await indexedUpTo(store, 503)
    await until('the rest to be removed', async () =>
      (await found(store, 'numbat')).length === 1 ? true : null,
    )
    expect(await store.reader.call('rows', [503])).toMatchObject([{ duplicateOf: null }])
  })

  it('does not block arrivals when it cannot be written, and is reported once', async () => {
    const made = storeWith(many(1))
    indexerOf(made).search.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON delivery_ref BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    )
    const { store, indexerEvents } = await openTestStore(closedStore(made))
    const failing = () => indexerEvents.filter(({ event }) => event === 'failing')
    await until('the failure', () => failing()[0])
    expect(await sendGroup(store, 2)).toBeNull()
    expect(await idsIn(store)).toEqual([1, 2])
    expect(failing()).toEqual([
      { event: 'failing', reason: expect.stringContaining('SQLITE_CONSTRAINT') },
    ])
    expect((await store.reader.call('stats')).indexedId).toBe(0)
  })

  it('continues after a crash, and forgets what was deleted before it', async () => {
    const made = storeWith(many(20))
    const { indexer, search } = indexerOf(made)
    let left = 10
    indexer.step(20, () => (left -= 1) === 0)
    search.close()
    made.db.exec('DELETE FROM delivery WHERE id <= 5')
    const { store } = await openTestStore(closedStore(made))
    await indexedUpTo(store, 20)
    expect(await found(store, 'open_tab')).toEqual(Array.from({ length: 15 }, (_, i) => 20 - i))
  })

  it.each<[how: string, change: (folder: string) => void]>([
    ['is missing', (folder) => rmSync(searchPath(folder))],
    [
      'is damaged',
      (folder) => writeFileSync(searchPath(folder), 'no database at all '.repeat(400)),
    ],
    [
      'is that of another store',
      (folder) => {
        const other = storeWith(many(9))
        indexAll(other)
        indexerOf(other).search.exec(`VACUUM INTO '${folder}/other.db'`)
        rmSync(searchPath(folder))
        renameSync(`${folder}/other.db`, searchPath(folder))
      },
    ],
  ])('is built again if its file %s', async (_, change) => {
    const made = storeWith([delivery(1, { body: Buffer.from('numbat') })])
    indexAll(made)
    const folder = closedStore(made)
    change(folder)
    const { store } = await openTestStore(folder)
    await indexedUpTo(store, 1)
    expect(await found(store, 'numbat')).toEqual([1])
    expect(await found(store, 'open_tab')).toEqual([])
  })

  it('is built again when it is deleted while Tabscope runs', async () => {
    const { store } = await openTestStore(closedStore(storeWith(many(5))))
    await indexedUpTo(store, 5)
    rmSync(searchPath(path.dirname(store.path)))
    await sendGroup(store, 6)
    await until('all to be found', async () =>
      (await found(store, 'open_tab')).length === 6 ? true : null,
    )
  })

  it('is built again when it is found damaged', async () => {
    const made = storeWith(many(300))
    indexAll(made)
    const folder = closedStore(made)
    const bytes = readFileSync(searchPath(folder))
    writeFileSync(searchPath(folder), bytes.fill(0xa5, 12 * pageBytes))
    const { store } = await openTestStore(folder)
    // The indexer may find it first, and the query then finds an empty index.
    await store.reader.call('page', firstPage('open_tab')).catch(() => undefined)
    expect((await store.damageFound())?.message).toContain('built again')
    await indexedUpTo(store, 300)
    expect(await found(store, 'open_tab')).toHaveLength(300)
    expect(existsSync(`${storePath(folder)}.check`)).toBe(false)
  })
})

const pageBytes = 4096

/** Breaks the chain of pages that hold a body of one repeated byte. */
function breakBody(file: string, byte: number): void {
  const bytes = readFileSync(file)
  for (let at = pageBytes; at < bytes.byteLength; at += pageBytes) {
    if (!bytes.subarray(at + 4, at + pageBytes).every((each) => each === byte)) continue
    writeFileSync(file, bytes.fill(0xff, at, at + 4))
    return
  }
  throw new Error(`no page has only ${byte}`)
}

const large = (id: number) =>
  delivery(id, { body: Buffer.concat([Buffer.from('numbat '), Buffer.alloc(1_000_000, id)]) })

it.runIf(full)(
  'damage in a large store costs only what is damaged, and is repaired at the next start',
  async () => {
    const count = 70
    const folder = closedStore(storeWith(Array.from({ length: count }, (_, i) => large(i + 1))))
    breakBody(storePath(folder), 35)
    {
      const { store, close } = await openTestStore(folder)
      expect(store.damaged).toEqual([])
      await indexedUpTo(store, count)
      expect(await found(store, 'numbat')).toHaveLength(count - 1)
      await expect(
        store.reader.call('signature', { id: 35, secrets: [], brand: undefined }),
      ).rejects.toThrow('damaged')
      expect(await store.damageFound()).toBeNull()
      const db = openReader(storePath(folder))
      expect(() => assertReadable(db, count)).toThrow(`1 delivery of ${count} cannot be read`)
      db.close()
      await close()
    }
    const { store } = await openTestStore(folder)
    expect(store.damaged).toMatchObject([{ content: 'deliveries', kept: count - 1, lost: 1 }])
    expect(await idsIn(store)).toHaveLength(count - 1)
  },
)
