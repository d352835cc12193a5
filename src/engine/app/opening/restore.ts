import { appendFileSync, chmodSync, copyFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../platform/errors.ts'
import { assertOwnSchema, openReadOnly, prepare, type Db } from '../../platform/sqlite.ts'
import { created, finish } from '../../platform/store/backup.ts'
import { readUnasked } from '../../platform/store/config-file.ts'
import { logsFolder, logStoreName, storePath } from '../../platform/store/data-folder.ts'
import { lockFolder } from '../../platform/store/lock.ts'
import {
  newestVersion,
  scenarioFiles,
  versionOf,
} from '../../platform/store/migrations/migrations.ts'
import { prepareStore } from './open-store.ts'
import { createPrivately, makeFolder } from '../../platform/store/private-files.ts'
import { isUnusable } from '../../platform/store/search-file.ts'

/** What a backup would do without being asked, in words. Throws `bad_input` and `store_too_new`. */
export function readBackup(file: string): string[] {
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size
  const problem = !existsSync(file)
    ? 'does not exist. Check the path.'
    : statSync(file).isDirectory()
      ? 'is a folder. Specify a file.'
      : // Reading would apply it, but only the file is restored.
        walBytes && 'has a WAL: another program changed it. Use one that only Tabscope wrote.'
  if (problem) throw new AppError('bad_input', `${file} ${problem}`)
  let db: Db | null = null
  try {
    db = openReadOnly(file)
    const tables = db
      .prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('delivery', 'integration')")
      .pluck()
      .get()
    if (versionOf(db) > newestVersion()) {
      throw new AppError(
        'store_too_new',
        `${file} was written by a newer version of Tabscope. Update Tabscope.`,
      )
    }
    if (tables === 2) {
      assertOwnSchema(db)
      return readUnasked(db)
    }
  } catch (error) {
    if (!isUnusable(error)) throw error
  } finally {
    db?.close()
  }
  throw new AppError(
    'bad_input',
    `${file} is not a backup of Tabscope. To write one: tabscope backup FILE`,
  )
}

/**
 * Into a folder that has no store. `turnsOff`: what it would do without being asked is turned off; `stamp` as in `prepareStore`. Throws the same as
 * `readBackup`, `store_in_use` and `store_failed`.
 */
export function restoreBackup(
  file: string,
  folder: string,
  stamp: string,
  turnsOff: boolean,
): void {
  readBackup(file)
  const lock = lockFolder(folder)
  try {
    const part = created(storePath(folder))
    try {
      copyFileSync(file, part)
      // It has the permissions of the backup now.
      chmodSync(part, 0o600)
      restoreScenarios(part, join(folder, logsFolder))
      finish(part, storePath(folder))
    } finally {
      rmSync(part, { force: true })
    }
    prepareStore(folder, stamp, undefined, undefined, false, turnsOff)
  } finally {
    lock.release()
  }
}

function restoreScenarios(part: string, folder: string): void {
  makeFolder(folder)
  const db = new Database(part)
  try {
    db.exec(scenarioFiles)
    const pieces = prepare<[], { store: string; piece: Uint8Array }>(
      db,
      'SELECT store, piece FROM scenario_file ORDER BY rowid',
    )
    for (const { store, piece } of pieces.iterate()) {
      // Whoever wrote the backup. Its schema is checked when it is opened.
      if (!logStoreName.test(store)) continue
      const path = join(folder, store)
      createPrivately(path)
      appendFileSync(path, piece)
    }
    db.exec('DROP TABLE scenario_file')
  } finally {
    db.close()
  }
}
