import { createReadStream, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { fileExists, fileFailed } from '../file-errors.ts'
import { destinationOf, partOf } from '../save-file.ts'
import { prepare, type Db } from '../sqlite.ts'
import { addConfiguration, configPathOf } from './config-file.ts'
import { logsFolder } from './data-folder.ts'
import { scenarioFiles } from './migrations/migrations.ts'
import { syncFile } from './private-files.ts'

export interface BackupTarget {
  readonly to: string
  readonly replaces: boolean
}

/**
 * Copies the store and its configuration into one file, while deliveries arrive. `db`: the writer's connection, whose changes meanwhile are part of the
 * copy; changes by another one would start it again. Throws `file_exists`, unless `replaces`.
 */
export async function backUp(
  db: Db,
  storePath: string,
  { to, replaces }: BackupTarget,
): Promise<void> {
  const { final, mode } = destinationOf(to)
  if (mode !== null && !replaces) throw fileExists(to)
  const part = createdByUser(final)
  try {
    await db.backup(part)
    addConfigurationTo(part, storePath)
    await addScenarios(part, dirname(storePath))
    finish(part, final)
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
export function created(to: string): string {
  const part = partOf(to)
  writeFileSync(part, '', { flag: 'wx', mode: 0o600 })
  return part
}

function addConfigurationTo(part: string, storePath: string): void {
  const db = new Database(part)
  try {
    const config = configPathOf(storePath)
    if (config !== null) addConfiguration(db, config)
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
      const path = join(dataDir, logsFolder, basename(store))
      if (!existsSync(path)) continue
      for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) {
        insert.run(store, piece)
      }
    }
  } finally {
    db.close()
  }
}

export function finish(part: string, to: string): void {
  syncFile(part)
  renameSync(part, to)
}
