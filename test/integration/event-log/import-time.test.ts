import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { Imports } from '#engine/event-logs/import/imports.ts'
import { Library } from '#engine/event-logs/import/library.ts'
import { builtThreads } from '#test/support/engine.ts'
import { logOf } from '#test/support/event-log.ts'
import { migrations, newestVersion } from '#engine/store/migrations/migrations.ts'
import { fakeClock, type FakeClock } from '#test/support/fake-clock.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

interface Rig {
  readonly clock: FakeClock
  readonly library: Library
  readonly imports: Imports
  readonly folder: string
}

/** Imports and logs with real threads and a fake clock, without a live store. */
function rig(dataDir = tempFolder()): Rig {
  const clock = fakeClock()
  let id = 0
  const library = new Library({
    clock,
    dataDir,
    entries: builtThreads,
    logs: [],
    ownsFolder: true,
    random: () => String((id += 1)),
    write: { putLog: async () => (id += 1), deleteLog: async () => undefined },
  })
  const parts = { library, clock, entry: builtThreads.importer, dialogs: null }
  const imports = new Imports(parts, { changed: () => undefined, ended: () => undefined })
  onTestFinished(async () => {
    await imports.close()
    await library.close()
  })
  return { clock, library, imports, folder: path.join(dataDir, 'logs') }
}

const begin = (imports: Imports) =>
  imports.start({ from: { kind: 'feed', name: 'a.ndjson', size: null } })

test('an import without data for a minute is canceled, and leaves nothing', async () => {
  const { clock, imports, folder } = rig()
  const { id } = await begin(imports)
  await clock.pass(59_000)
  const bytes = logOf(5)
  await imports.feed({ id, bytes: bytes.subarray(0, 1000), end: false })
  await clock.pass(59_000)
  expect(imports.views()).toMatchObject([{ id, state: 'running' }])
  await clock.pass(2000)
  expect(await imports.ended(id)).toMatchObject({ state: 'cancelled', logId: null })
  expect(readdirSync(folder)).toEqual([])
})

test('pieces are read in order, however many are sent at the same time', async () => {
  const { imports } = rig()
  const { id } = await begin(imports)
  const bytes = logOf(300)
  const pieces = Array.from({ length: 40 }, (_, n) => {
    const size = Math.ceil(bytes.byteLength / 40)
    return bytes.subarray(n * size, (n + 1) * size)
  })
  await Promise.all(pieces.map((piece, n) => imports.feed({ id, bytes: piece, end: n === 39 })))
  expect(await imports.ended(id)).toMatchObject({ state: 'done', deliveries: 300 })
})

test('an unused log is closed, and reopened when it is used', async () => {
  const { clock, imports, library, folder } = rig()
  const { id } = await begin(imports)
  await imports.feed({ id, bytes: logOf(4), end: true })
  const { logId } = await imports.ended(id)
  const reader = library.reader(logId ?? 0)
  expect(clock.waiting()).toBe(0)
  expect(await reader.call('stats')).toMatchObject({ deliveries: 4, newestId: 4, indexedId: 4 })
  expect(clock.waiting()).toBe(1)
  await clock.pass(5 * 60_000)
  expect(clock.waiting()).toBe(0)
  expect(await reader.call('get', 3)).toMatchObject({ id: 3 })
  // Reading has created no files.
  expect(readdirSync(folder)).toHaveLength(1)
})

test('the log store of an older Tabscope is upgraded, and that of a newer one is refused', async () => {
  const { imports, library } = rig()
  const { id } = await begin(imports)
  await imports.feed({ id, bytes: logOf(4), end: true })
  const { logId } = await imports.ended(id)
  const store = library.pathOf(logId ?? 0)
  const set = (version: number, sql = ''): void => {
    const db = new Database(store)
    db.exec(sql)
    db.pragma(`user_version = ${version}`)
    db.close()
  }
  set(
    5,
    `DROP VIEW captured_content; DROP TABLE shared_head; DROP TABLE shared_head_progress; DROP INDEX delivery_content_by_head;
     ALTER TABLE delivery_content DROP COLUMN head_id; ALTER TABLE delivery DROP COLUMN digest;
     DROP TABLE rehearsal_request; DROP TABLE rehearsal_case; DROP TABLE rehearsal;
     DROP TABLE event_log; DROP TABLE log_origin; DROP TABLE log_delivery; DROP TABLE redaction_rule;
     ALTER TABLE endpoint DROP COLUMN sealed_headers;
     ALTER TABLE response_rule DROP COLUMN met; ALTER TABLE response_rule DROP COLUMN applied;
     ALTER TABLE delivery DROP COLUMN arrival_verdict; ALTER TABLE delivery DROP COLUMN rechecked_us;
     ALTER TABLE delivery DROP COLUMN recheck_secret_name;
     DROP TABLE finding_list_progress; DROP TABLE finding_list_kind; DROP TABLE finding_list;
     DROP INDEX delivery_by_finding_list; ALTER TABLE delivery DROP COLUMN finding_list_id`,
  )
  expect(await library.reader(logId ?? 0).call('get', 2)).toMatchObject({ id: 2 })
  await library.close()
  const db = new Database(store, { readonly: true })
  expect(db.pragma('user_version', { simple: true })).toBe(newestVersion(migrations))
  db.close()
  set(99)
  await expect(library.reader(logId ?? 0).call('get', 2)).rejects.toMatchObject({
    code: 'log_too_new',
    message: expect.stringContaining('format 99'),
  })
})

test('partial files of a crash are deleted at the next start', async () => {
  const dataDir = tempFolder()
  const { imports, library } = rig(dataDir)
  const { id } = await begin(imports)
  await imports.feed({ id, bytes: logOf(9).subarray(0, 900), end: false })
  const part = library.newPart()
  new Database(part).exec('CREATE TABLE a (b)')
  expect(existsSync(part)).toBe(true)
  rig(dataDir)
  expect(existsSync(part)).toBe(false)
})
