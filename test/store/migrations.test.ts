import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readStats, readUnindexed } from '#engine/deliveries/store.ts'
import { readEndpoints } from '#engine/deliveries/endpoints/store.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import {
  migrations,
  newestVersion,
  type Migration,
} from '#engine/platform/store/migrations/migrations.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { delivery } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const newest = newestVersion(migrations)
const next: Migration = {
  version: newest + 1,
  name: 'test',
  store: (db) => db.exec("ALTER TABLE delivery ADD COLUMN note TEXT NOT NULL DEFAULT 'none'"),
}
const failing: Migration = {
  version: next.version + 1,
  name: 'fails',
  store: (db) => {
    db.exec('DELETE FROM delivery')
    throw new Error('the migration failed')
  },
}

const ids = [1, 2, 3, 4]

/** A store of the newest version. `bodyBytes`: size of each of its four deliveries. */
function folderWithDeliveries(bodyBytes = 10): string {
  const folder = tempFolder()
  const body = Buffer.alloc(bodyBytes, 7)
  const deliveries = ids.map((id) => delivery(id, { body }))
  storeWith(deliveries, folder).db.close()
  return folder
}

function open(file: string) {
  const db = openReader(file)
  onTestFinished(() => void db.close())
  return db
}
const versionOf = (file: string) => open(file).pragma('user_version', { simple: true })
const backupsIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('backup'))

describe('migrations', () => {
  it('are numbered from one, without gaps', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1))
  })

  it('create a store if there is none, without a backup', () => {
    const folder = tempFolder()
    const { path: file, ...rest } = prepareStore(folder, 'now')
    expect(rest).toEqual({ lastId: 0, damaged: [] })
    expect(versionOf(file)).toBe(newest)
    expect(backupsIn(folder)).toEqual([])
    expect(prepareStore(folder, 'later')).toEqual({ path: file, ...rest })
    expect(readEndpoints(open(file))).toHaveLength(1)
  })

  it('back up the store before the first migration, and only then', () => {
    const folder = folderWithDeliveries()
    const list = [...migrations, next]
    const { path: file, ...rest } = prepareStore(folder, '20260314T210000', list)
    expect(rest).toEqual({ lastId: 4, damaged: [] })
    expect(versionOf(file)).toBe(next.version)
    expect(backupsIn(folder)).toEqual([`tabscope.db.v${newest}-20260314T210000.backup`])
    const backup = path.join(folder, backupsIn(folder)[0] ?? '')
    expect(versionOf(backup)).toBe(newest)
    expect(readUnindexed(open(backup), ids)).toEqual(readUnindexed(open(file), ids))
    prepareStore(folder, 'later', list)
    expect(backupsIn(folder)).toHaveLength(1)
  })

  it('keep the last successful version if one fails', () => {
    const folder = folderWithDeliveries()
    const run = () => prepareStore(folder, 'now', [...migrations, next, failing])
    expect(run).toThrow('the migration failed')
    const file = path.join(folder, 'tabscope.db')
    expect(versionOf(file)).toBe(next.version)
    expect(readStats(open(file)).deliveries).toBe(4)
    expect(readUnindexed(open(file), ids)).toHaveLength(4)
    expect(backupsIn(folder)).toHaveLength(1)
  })
})

/** Runs `killed-migration.mjs`, which ends itself in the middle of a migration. */
async function killInMigration(folder: string, which: string): Promise<void> {
  const script = path.join(import.meta.dirname, 'killed-migration.mjs')
  const child = spawn(process.execPath, [script, folder, which], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
}

/** SQLite empties its WAL itself. */
const emptyFilesIn = (folder: string) =>
  readdirSync(folder).filter(
    (name) => !name.endsWith('-wal') && statSync(path.join(folder, name)).size === 0,
  )

describe.skipIf(process.platform === 'win32')('a kill in the middle of a migration', () => {
  it.each(['first store', 'first config'])(
    'leaves no empty file (%s), and the next start works',
    async (which) => {
      const folder = tempFolder()
      await killInMigration(folder, which)
      expect(emptyFilesIn(folder)).toEqual([])
      const { path: file, ...rest } = prepareStore(folder, 'now')
      expect(rest).toEqual({ lastId: 0, damaged: [] })
      expect(readEndpoints(open(file))).toHaveLength(1)
    },
  )

  it('keeps everything of a store that is upgraded, and the next start completes it', async () => {
    const folder = folderWithDeliveries()
    await killInMigration(folder, 'upgrade')
    expect(emptyFilesIn(folder)).toEqual([])
    const { path: file, ...rest } = prepareStore(folder, 'later', [...migrations, next])
    expect(rest).toEqual({ lastId: 4, damaged: [] })
    expect(versionOf(file)).toBe(next.version)
    expect(readUnindexed(open(file), ids)).toHaveLength(4)
  })

  it('leaves partial files that the next start deletes', () => {
    const folder = tempFolder()
    const partial = [
      'tabscope.db.part',
      'config.db.part',
      'config.db.copy.part',
      'search.db.part',
      'tabscope.db.v1-20260314T210000.backup.part',
      'friday.backup.part-0123456789ab',
      'key.0123456789abcdef.new',
    ]
    const mine = ['mine.part', 'mine.part1.backup']
    for (const name of [...partial, ...mine]) writeFileSync(path.join(folder, name), '')
    prepareStore(folder, 'now')
    expect(readdirSync(folder).filter((name) => /part|new/.test(name))).toEqual(mine)
  })
})

describe('a backup', () => {
  it('has its final name only when it is complete, also after a kill', async () => {
    const folder = folderWithDeliveries(20 * 1024 * 1024)
    const script = path.join(import.meta.dirname, 'back-up.mjs')
    const child = spawn(process.execPath, [script, folder], { stdio: 'ignore' })
    const exited = once(child, 'exit')
    // The kill may come too late. What is asserted holds in any case.
    await until('the backup', () => backupsIn(folder).length > 0)
    child.kill('SIGKILL')
    await exited
    for (const name of backupsIn(folder).filter((each) => !each.includes('.part'))) {
      const backup = open(path.join(folder, name))
      expect(backup.pragma('quick_check', { simple: true })).toBe('ok')
      expect(readUnindexed(backup, ids)).toHaveLength(4)
    }
    prepareStore(folder, 'later', [...migrations, next])
    expect(backupsIn(folder).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('that cannot be written prevents the migration, and leaves no file', () => {
    const folder = folderWithDeliveries()
    expect(() => prepareStore(folder, 'missing/now', [...migrations, next])).toThrow('ENOENT')
    expect(versionOf(path.join(folder, 'tabscope.db'))).toBe(newest)
    expect(backupsIn(folder)).toEqual([])
  })
})
