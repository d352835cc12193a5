import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { readEndpoints, updateEndpoint } from '#engine/deliveries/endpoints/store.ts'
import { readByIds, readStats } from '#engine/deliveries/store.ts'
import { readLogs, type LibraryLog } from '#engine/event-logs/store.ts'
import { insertRow, openReader, openWriter, type Db } from '#engine/platform/sqlite.ts'
import { backUp } from '#engine/platform/store/backup.ts'
import { copyConfiguration, readUnasked } from '#engine/platform/store/config-file.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { createInOneFile, foreignEntry } from '#engine/platform/store/migrations/migrations.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { makePrivate } from '#engine/platform/store/private-files.ts'
import { readBackup, restoreBackup } from '#engine/app/opening/restore.ts'
import { searchTables } from '#engine/platform/store/search-file.ts'
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
  chmodSync(file, 0o644)
  restoreBackup(file, restored, 'now', false)
  expect(prepareStore(restored, 'now')).toMatchObject({ lastId: 3, damaged: [] })
  expect(makePrivate(restored)).toBe(0)
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
  expect(() => restoreBackup(text, folder, 'now', false)).toThrow('is not a backup')
  expect(() => restoreBackup(`${text}.missing`, folder, 'now', false)).toThrow('does not exist')
  expect(readdirSync(folder)).toEqual([])
  const { db, path: store } = storeWith([])
  await expect(backUp(db, store, { to: file, replaces: false })).rejects.toThrow('exists')
})

function change(file: string, sql: string): void {
  const db = new Database(file)
  db.unsafeMode()
  db.exec(sql)
  db.close()
}

it.each([
  [
    'trigger "forge"',
    "CREATE TRIGGER forge AFTER INSERT ON delivery BEGIN UPDATE delivery SET verdict = 'valid'; END",
  ],
  [
    'trigger "sqlite_forge"',
    `PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_forge', 'delivery', 0,
      'CREATE TRIGGER sqlite_forge AFTER INSERT ON delivery BEGIN DELETE FROM delivery; END')`,
  ],
  [
    'view "progress"',
    'DROP TABLE progress; CREATE VIEW progress AS SELECT 9 AS deliveries, 9 AS last_id, 9 AS observed_id',
  ],
  ['table "notes"', 'CREATE TABLE notes (text TEXT)'],
  ['table "forge"', 'CREATE VIRTUAL TABLE forge USING fts5 (text)'],
  ['index "forge"', 'CREATE INDEX forge ON delivery (abs(id))'],
  ['table "delivery"', 'ALTER TABLE delivery ADD COLUMN forged TEXT AS (upper(verdict))'],
  ['table "delivery"', "ALTER TABLE delivery ADD COLUMN forged TEXT DEFAULT 'valid'"],
])('a backup with an unknown %s is not restored, and leaves only its rows', async (name, sql) => {
  const { file } = await backedUp()
  change(file, sql)
  const folder = tempFolder()
  expect(() => restoreBackup(file, folder, 'now', false)).toThrow(`has an unknown ${name}`)
  expect(readdirSync(folder)).toEqual([])
  copyFileSync(file, storePath(folder))
  expect(() => prepareStore(folder, 'now', undefined, undefined, true)).toThrow(name)
  const lost = name.startsWith('view') ? null : 0
  expect(prepareStore(folder, 'now').damaged).toMatchObject([{ kept: 3, lost }])
  const db = openWriter(storePath(folder))
  expect(foreignEntry(db)).toBeNull()
  db.close()
  expect(contentOf(folder).deliveries).toBe(3)
})

it.skipIf(process.platform === 'win32')(
  'a backup uses no file and no link that is in its way',
  async () => {
    const { db, path: store } = storeWith([])
    const folder = tempFolder()
    const file = path.join(folder, 'friday.backup')
    const before = ['.part', '.backup.part']
    writeFileSync(path.join(folder, 'own'), 'kept')
    for (const end of before) symlinkSync('own', file + end)
    await backUp(db, store, { to: file, replaces: false })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(path.join(folder, 'own'), 'utf8')).toBe('kept')
    symlinkSync('missing', path.join(folder, 'link'))
    const linked = backUp(db, store, { to: path.join(folder, 'link'), replaces: true })
    await expect(linked).rejects.toThrow('is a link to a file that does not exist')
    const left = ['own', 'link', path.basename(file), ...before.map((end) => `friday.backup${end}`)]
    expect(readdirSync(folder).toSorted()).toEqual(left.toSorted())
  },
)

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

it('the store of an event log with an unknown view is not opened', () => {
  const log = path.join(tempFolder(), 'log.db')
  const db = new Database(log)
  createInOneFile(db)
  db.exec(searchTables)
  db.close()
  openReader(log).close()
  change(log, 'CREATE VIEW forge AS SELECT 1')
  expect(() => openReader(log)).toThrow('has an unknown view "forge"')
})

it('an event log has its data in the folder of event logs, whatever its row says', async () => {
  const { db, folder, path: store } = storeWith([])
  writeFileSync(path.join(folder, 'secret.txt'), 'canary-9d1c')
  const view: Omit<LibraryLog, 'id' | 'sha256' | 'importedAt'> = {
    name: 'all',
    format: 'ndjson',
    version: null,
    app: '',
    exportedAt: null,
    redacted: null,
    redaction: null,
    scope: null,
    deliveries: 0,
    bytes: 0,
    firstAt: null,
    lastAt: null,
    state: 'complete',
    problems: [],
    scenario: { leftOut: [], endpointId: null },
  }
  insertRow(db, 'event_log', {
    sha256: 'a',
    store: '../secret.txt',
    imported_ms: 0,
    view: JSON.stringify(view),
  })
  expect(readLogs(db).map((each) => each.store)).toEqual(['secret.txt'])
  const file = path.join(tempFolder(), 'friday.backup')
  await backUp(db, store, { to: file, replaces: false })
  expect(readFileSync(file).includes('canary-9d1c')).toBe(false)
})

it('a backup restores the data of scenarios by their names, and no other file', async () => {
  const { file } = await backedUp()
  const own = '0123456789abcdef-1.db'
  // A reader trusts a tabscope.db, which was checked at the start.
  const names = ['..', '', 'a\0b', `${own}-wal`, '../key', 'config.db', 'tabscope.db', own]
  const db = new Database(file)
  const insert = db.prepare("INSERT INTO scenario_file VALUES (?, x'00')")
  for (const name of names) insert.run(name)
  db.close()
  const folder = tempFolder()
  restoreBackup(file, folder, 'now', false)
  expect(readdirSync(path.join(folder, 'logs'))).toEqual([own])
  expect(readdirSync(folder)).not.toContain('key')
})

it('a backup cannot stop later starts by its encoding, or by what it says about damaged files', async () => {
  const { file } = await backedUp()
  const utf16 = path.join(tempFolder(), 'utf16.backup')
  const empty = new Database(utf16)
  empty.pragma("encoding = 'UTF-16le'")
  createInOneFile(empty)
  empty.close()
  expect(() => readBackup(utf16)).toThrow('has an unknown encoding "UTF-16le"')
  const other = tempFolder()
  copyFileSync(utf16, storePath(other))
  expect(prepareStore(other, 'now').damaged).toHaveLength(1)

  const outside = path.join(tempFolder(), 'outside')
  writeFileSync(outside, '')
  change(file, `INSERT INTO damaged_file VALUES ('a', '{'), ('b', 'null'), ('${outside}', '{}')`)
  const folder = tempFolder()
  restoreBackup(file, folder, 'now', false)
  expect(prepareStore(folder, 'later').damaged).toEqual([])
})

it.each(["'x', 3, 0", '1e300, 3, 0', '3, 9223372036854775807, 0', '3, 3, 0.5'])(
  'the rows of a damaged store are copied, though it says how many it has as (%s)',
  async (values) => {
    const { file } = await backedUp()
    const columns = 'last_id, deliveries, observed_id'
    const sql = `DROP TABLE progress; CREATE TABLE progress (${columns}); INSERT INTO progress VALUES (${values})`
    change(file, sql)
    const folder = tempFolder()
    copyFileSync(file, storePath(folder))
    expect(prepareStore(folder, 'now').damaged).toMatchObject([{ kept: 3, lost: null }])
  },
)

/** Of two equal keys, SQLite reads the first. */
const twice = '{"enabled":false,"url":"http://127.0.0.1:9","enabled":true}'
const acting = `
  INSERT INTO forward_target (id, endpoint_id, record) VALUES (1, 1, '${twice}'), (2, 1, '{"enabled":"yes"}'), (3, 1, '{"enabled":false}');
  INSERT INTO response_rule (id, endpoint_id, position, record) VALUES (1, 1, 0, '{"enabled":true}');
  INSERT INTO relay (id, name, record) VALUES (1, 'Team', '{"enabled":true}');
  INSERT INTO tunnel (id, wanted, record) VALUES (1, 1, '{}');
  INSERT INTO target (origin, confirmed, verify_tls, location) VALUES ('https://example.com', 1, 0, 'public');
  UPDATE integration SET refresh = '{"automatic":true,"provenAt":null,"provenAt":1}';
  INSERT INTO setting (key, value) VALUES ('proxy', '"http\\u003a\\u002f\\u002f127.0.0.1\\u003a9"'), ('caFile', '"\\\\\\\\host\\\\ca.pem"')`
const inWords = [
  '2 forward targets',
  '1 response rule',
  '1 relay',
  '1 tunnel',
  '1 confirmed target',
  '1 refresh rule',
  '2 network settings',
]

function unaskedIn(folder: string): string[] {
  const db = openWriter(storePath(folder))
  try {
    return readUnasked(db)
  } finally {
    db.close()
  }
}

it('what a backup would do unasked is off, unless the user turns it on', async () => {
  const { file } = await backedUp()
  change(file, acting)
  expect(readBackup(file)).toEqual(inWords)
  const folder = tempFolder()
  restoreBackup(file, folder, 'now', false)
  expect(unaskedIn(folder)).toEqual(inWords)
  const off = tempFolder()
  restoreBackup(file, off, 'now', true)
  expect(unaskedIn(off)).toEqual([])
  const db = openReader(storePath(off))
  expect(db.prepare('SELECT count(*) FROM forward_target').pluck().get()).toBe(3)
  db.close()
})

it('a backup whose WAL hides what it would do unasked is not restored', async () => {
  const { file } = await backedUp()
  change(file, acting)
  const writer = new Database(file)
  writer.pragma('journal_mode = WAL')
  writer.exec(
    'DELETE FROM forward_target; DELETE FROM response_rule; DELETE FROM relay; DELETE FROM tunnel',
  )
  const folder = tempFolder()
  expect(() => restoreBackup(file, folder, 'now', false)).toThrow('has a WAL')
  expect(readdirSync(folder)).toEqual([])
  writer.close()
  expect(readBackup(file)).toEqual(inWords.slice(4))
})

it.each([
  ['whole', ''],
  ['damaged', 'DROP TABLE progress'],
])('what a %s backup in the place of a store would do unasked is off', async (_, sql) => {
  const { file } = await backedUp()
  change(file, acting + ';' + sql)
  const folder = tempFolder()
  copyFileSync(file, storePath(folder))
  prepareStore(folder, 'now')
  expect(unaskedIn(folder)).toEqual([])
})
