import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { ReaderApi } from '#engine/app/threads/queries.ts'
import { Imports } from '#engine/event-logs/import/imports.ts'
import { Library } from '#engine/event-logs/import/library.ts'
import { builtThreads } from '#test/support/engine.ts'
import { logOf } from '#test/support/event-log.ts'
import { fakeClock, type FakeClock } from '#test/support/fake-clock.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

interface Rig {
  readonly clock: FakeClock
  readonly library: Library<ReaderApi>
  readonly imports: Imports
  readonly folder: string
}

/** Imports and logs with real threads and a fake clock, without a live store. */
function rig(dataDir = tempFolder()): Rig {
  const clock = fakeClock()
  let id = 0
  const library = new Library<ReaderApi>({
    clock,
    dataDir,
    readerEntry: builtThreads.reader,
    logs: [],
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
