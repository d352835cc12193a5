import { existsSync, statfsSync } from 'node:fs'
import { holderPath, storePath } from '../../platform/store/data-folder.ts'
import { openReader, prepare, type Db } from '../../platform/sqlite.ts'
import { newestVersion, versionOf } from '../../platform/store/migrations/migrations.ts'
import { checkRequestPath } from '../../deliveries/damage.ts'
import { isForeign } from '../../platform/store/private-files.ts'

/** Without this much space for WAL files, SQLite leaves empty files behind. */
const walBytes = 1024 * 1024

/**
 * Opens the store for queries without locking the folder. Returns null if it must be opened for writing first: a process holds it, the format is old, a
 * job was interrupted, or damage was found.
 */
export function openSettled(dataDir: string): Db | null {
  let db: Db | null = null
  try {
    const path = storePath(dataDir)
    // SQLite creates files next to the store, which would get in the way of another user who owns it.
    if (existsSync(holderPath(dataDir)) || isForeign(path)) return null
    if (existsSync(checkRequestPath(path))) return null
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < walBytes) return null
    db = openReader(path)
    if (isSettled(db)) return db
  } catch {
    // Opening it for writing reports the reason.
  }
  db?.close()
  return null
}

function isSettled(db: Db): boolean {
  if (versionOf(db) !== newestVersion() || versionOf(db, 'config') !== newestVersion()) return false
  // Jobs that are stored as running, although nothing runs, were interrupted.
  return prepare(db, "SELECT 1 FROM send_job WHERE state = 'running'").get() === undefined
}
