import { existsSync, statfsSync } from 'node:fs'
import { journalDir, listSegments } from '../capture/journal-format.ts'
import { findJournalEnd } from '../capture/journal-reader.ts'
import { holderPath, storePath } from './data-folder.ts'
import { readStats } from '../deliveries/store.ts'
import { openUnheld, prepare, type Db } from '../platform/sqlite.ts'
import { migrations, newestVersion } from './migrations/migrations.ts'
import { isForeign } from './private-files.ts'

/** Without this much space for WAL files, SQLite leaves empty files behind. */
const walBytes = 1024 * 1024

/**
 * Opens the store for queries without locking the folder. Returns null if it must be opened for writing first: a process holds it or exited uncleanly,
 * the format is old, or the store (with `indexed`, the search index) does not contain the complete journal.
 */
export function openSettled(dataDir: string, indexed: boolean): Db | null {
  let db: Db | null = null
  try {
    const path = storePath(dataDir)
    // SQLite creates files next to the store, which would get in the way of another user who owns it.
    if (existsSync(holderPath(dataDir)) || isForeign(path)) return null
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < walBytes) return null
    db = openUnheld(path)
    if (isSettled(db, dataDir, indexed)) return db
  } catch {
    // Opening it for writing reports the reason.
  }
  db?.close()
  return null
}

function isSettled(db: Db, dataDir: string, indexed: boolean): boolean {
  if (db.pragma('user_version', { simple: true }) !== newestVersion(migrations)) return false
  const { newestId, indexedId } = readStats(db)
  if (indexed && indexedId < newestId) return false
  // Jobs that are stored as running, although nothing runs, were interrupted.
  const isInterrupted = prepare(db, "SELECT 1 FROM send_job WHERE state = 'running'").get()
  return isInterrupted === undefined && journalEnd(db, dataDir) === firstPosition(db, dataDir)
}

/** Where the journal continues after what the store contains. */
export function storedPosition(db: Db): number {
  const row = prepare<[], { at: number }>(db, 'SELECT journal_position AS at FROM progress').get()
  return row?.at ?? 0
}

export function journalEnd(db: Db, dataDir: string): number {
  return findJournalEnd(journalDir(dataDir), firstPosition(db, dataDir)).end
}

/** After a damaged store was moved aside, the journal starts after the new store's position. */
function firstPosition(db: Db, dataDir: string): number {
  return Math.max(storedPosition(db), listSegments(journalDir(dataDir))[0]?.start ?? 0)
}
