import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { readEndpoints, updateEndpoint } from '#engine/endpoints/store.ts'
import { readByIds, readStats } from '#engine/deliveries/store.ts'
import { openReader, openWriter, type Db } from '#engine/platform/sqlite.ts'
import { backUp, restoreBackup } from '#engine/store/backup.ts'
import { copyConfiguration } from '#engine/store/config-file.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { prepareStore } from '#engine/store/open.ts'
import { delivery, take } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const ids = [1, 2, 3]

function rename(db: Db, name: string): void {
  const [endpoint] = readEndpoints(db)
  if (!endpoint) throw new Error('there is no endpoint')
  updateEndpoint(db, endpoint.id, { ...endpoint, name })
}

function contentOf(folder: string) {
  const db = openReader(storePath(folder))
  const { deliveries } = readStats(db)
  const content = { deliveries, rows: readByIds(db, ids), endpoints: readEndpoints(db) }
  db.close()
  return content
}

async function backedUp(): Promise<{ folder: string; file: string }> {
  const { db, folder, path: store } = storeWith(ids.map((id) => delivery(id)))
  rename(db, 'Tabs')
  const file = path.join(tempFolder(), 'friday.backup')
  await backUp(db, store, { to: file, replaces: false })
  db.close()
  return { folder, file }
}

it('a backup is one file, from which a new folder gets everything', async () => {
  const { folder, file } = await backedUp()
  expect(readdirSync(path.dirname(file))).toEqual(['friday.backup'])
  const restored = tempFolder()
  restoreBackup(file, restored)
  expect(prepareStore(restored, 'now')).toMatchObject({ lastId: 3, damaged: [] })
  expect(contentOf(restored)).toEqual(contentOf(folder))
  const inStore = new Database(storePath(restored))
  const left = inStore.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'endpoint'").get()
  inStore.close()
  expect(left).toBeUndefined()
})

it('a backup in the place of a store is restored, and the configuration before it is kept', async () => {
  const { folder, file } = await backedUp()
  const db = openWriter(storePath(folder))
  rename(db, 'Renamed later')
  db.close()
  copyFileSync(file, storePath(folder))
  prepareStore(folder, 'now')
  expect(contentOf(folder).endpoints[0]?.name).toBe('Tabs')
  expect(existsSync(path.join(folder, 'config.db.replaced-now'))).toBe(true)
})

it('a backup is consistent while deliveries are stored', async () => {
  const body = Buffer.alloc(200_000, 7)
  const { db, path: store, ingest } = storeWith(ids.map((id) => delivery(id, { body })))
  const file = path.join(tempFolder(), 'busy.backup')
  let isDone = false
  const done = backUp(db, store, { to: file, replaces: false }).then(() => (isDone = true))
  let last = 3
  while (!isDone) {
    last += 1
    take(ingest, [delivery(last, { body: Buffer.alloc(100, last) })])
    await new Promise(setImmediate)
  }
  await done
  const copy = new Database(file, { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  const counted = copy.prepare('SELECT count(*) FROM delivery_content').pluck().get()
  expect(counted).toBe(copy.prepare('SELECT deliveries FROM progress').pluck().get())
  copy.close()
  expect(last).toBeGreaterThan(4)
})

it('nothing but a backup is restored, and nothing is overwritten', async () => {
  const { file } = await backedUp()
  const text = path.join(path.dirname(file), 'notes.txt')
  writeFileSync(text, 'no database '.repeat(999))
  const folder = tempFolder()
  expect(() => restoreBackup(text, folder)).toThrow('is not a backup')
  expect(() => restoreBackup(`${text}.missing`, folder)).toThrow('does not exist')
  expect(readdirSync(folder)).toEqual([])
  const { db, path: store } = storeWith([])
  await expect(backUp(db, store, { to: file, replaces: false })).rejects.toThrow('exists')
})

const damage = (file: string) => writeFileSync(file, 'no database '.repeat(999))

it('a damaged configuration is replaced by the copy of its last good state, and deliveries stay', () => {
  const { db, folder } = storeWith(ids.map((id) => delivery(id)))
  const config = path.join(folder, 'config.db')
  rename(db, 'Copied')
  copyConfiguration(db, config)
  db.close()
  damage(config)
  const { damaged } = prepareStore(folder, 'now')
  expect(damaged).toEqual([
    {
      content: 'configuration',
      path: `${config}.damaged-now`,
      kept: null,
      lost: null,
      copiedAt: expect.any(Number),
    },
  ])
  expect(contentOf(folder)).toMatchObject({ deliveries: 3, endpoints: [{ name: 'Copied' }] })
})

it('without an intact copy, the readable rows of a damaged configuration are kept', () => {
  const { db, folder } = storeWith(ids.map((id) => delivery(id)))
  const config = path.join(folder, 'config.db')
  rename(db, 'Kept')
  db.close()
  damage(`${config}.copy`)
  const broken = new Database(config)
  broken.exec('DROP TABLE setting')
  broken.close()
  expect(prepareStore(folder, 'now').damaged).toMatchObject([{ copiedAt: null }])
  expect(contentOf(folder)).toMatchObject({ deliveries: 3, endpoints: [{ name: 'Kept' }] })
})

it('a damaged store leaves the configuration as it is', () => {
  const { db, folder, path: store } = storeWith(ids.map((id) => delivery(id)))
  rename(db, 'Kept')
  db.close()
  damage(store)
  expect(prepareStore(folder, 'now').damaged).toMatchObject([{ content: 'deliveries' }])
  expect(contentOf(folder)).toMatchObject({ deliveries: 0, endpoints: [{ name: 'Kept' }] })
  rmSync(`${store}.damaged-now`)
  expect(prepareStore(folder, 'later').damaged).toEqual([])
})
