import {
  appendFileSync,
  copyFileSync,
  createReadStream,
  existsSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../platform/errors.ts'
import { fileExists, fileFailed } from '../platform/file-errors.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { addConfiguration, configPathOf } from './config-file.ts'
import { logsFolder, storePath as storePathOf } from './data-folder.ts'
import { newestVersion, versionOf } from './migrations/migrations.ts'
import { createPrivately, makeFolder, partEnd, syncFile } from './private-files.ts'
import { isUnusable } from './search-file.ts'

export interface BackupTarget {
  readonly to: string
  readonly replaces: boolean
}

export const backupPartEnd = `.backup${partEnd}`

/**
 * Copies the store and its configuration into one file, while deliveries arrive. `db`: the writer's connection, whose changes meanwhile are part of the
 * copy; changes by another one would start it again. Throws `file_exists`, unless `replaces`.
 */
export async function backUp(
  db: Db,
  storePath: string,
  { to, replaces }: BackupTarget,
): Promise<void> {
  if (existsSync(to) && !replaces) throw fileExists(to)
  const part = createdByUser(to)
  try {
    await db.backup(part)
    addConfigurationTo(part, storePath)
    await addScenarios(part, dirname(storePath))
    finish(part, to)
  } finally {
    rmSync(part, { force: true })
  }
}

/** As above, but nothing else may run meanwhile. */
export function backUpBefore(db: Db, storePath: string, to: string): void {
  const part = created(to)
  try {
    db.prepare('VACUUM main INTO ?').run(part)
    addConfigurationTo(part, storePath)
    finish(part, to)
  } finally {
    rmSync(part, { force: true })
  }
}

function createdByUser(to: string): string {
  try {
    return created(to)
  } catch (error) {
    throw fileFailed(to, error)
  }
}

/** Created first, since SQLite accepts an empty file and keeps its mode. */
function created(to: string): string {
  const part = to + backupPartEnd
  createPrivately(part)
  return part
}

function addConfigurationTo(part: string, storePath: string): void {
  const db = new Database(part)
  try {
    const config = configPathOf(storePath)
    if (config !== null) addConfiguration(db, config)
    // A single file, without a WAL.
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
}

const pieceBytes = 1024 * 1024

/** An imported event log has its file; of a scenario, its store is all there is. */
async function addScenarios(part: string, dataDir: string): Promise<void> {
  const db = new Database(part)
  try {
    // `finish` writes it to the disk.
    db.pragma('synchronous = OFF')
    db.exec(scenarioFiles)
    const insert = prepare<[string, Uint8Array]>(db, 'INSERT INTO scenario_file VALUES (?, ?)')
    const stores = prepare<[], string>(
      db,
      "SELECT store FROM event_log WHERE view ->> 'scenario' IS NOT NULL",
    ).pluck()
    for (const store of stores.all()) {
      const path = join(dataDir, logsFolder, store)
      if (!existsSync(path)) continue
      for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) {
        insert.run(store, piece)
      }
    }
  } finally {
    db.close()
  }
}

const scenarioFiles =
  'CREATE TABLE IF NOT EXISTS scenario_file (store TEXT NOT NULL, piece BLOB NOT NULL)'

function finish(part: string, to: string): void {
  syncFile(part)
  renameSync(part, to)
}

/** Copies a backup to where the next opening of the folder, which has no store, finds it. Throws `bad_input` and `store_too_new`. */
export function restoreBackup(file: string, dataDir: string): void {
  assertBackup(file)
  makeFolder(dataDir)
  const part = created(storePathOf(dataDir))
  try {
    copyFileSync(file, part)
    restoreScenarios(part, join(dataDir, logsFolder))
    finish(part, storePathOf(dataDir))
  } finally {
    rmSync(part, { force: true })
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
      // Nothing outside of the folder, whoever wrote the backup.
      const path = join(folder, basename(store))
      createPrivately(path)
      appendFileSync(path, piece)
    }
    db.exec('DROP TABLE scenario_file')
  } finally {
    db.close()
  }
}

function assertBackup(file: string): void {
  if (!existsSync(file)) throw new AppError('bad_input', `${file} does not exist. Check the path.`)
  if (statSync(file).isDirectory()) {
    throw new AppError('bad_input', `${file} is a folder. Specify a file.`)
  }
  let db: Db | null = null
  try {
    db = new Database(file, { readonly: true })
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
    if (tables === 2) return
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
