import { existsSync, statfsSync } from 'node:fs'
import { journalDir, listSegments } from '../capture/journal-format.ts'
import { findJournalEnd } from '../capture/journal-reader.ts'
import { holderPath, storePath } from './data-folder.ts'
import { readStats } from '../deliveries/store.ts'
import { openUnheld, prepare, type Db } from '../platform/sqlite.ts'
import { migrations, newestVersion } from './migrations/migrations.ts'
import { isForeign } from './private-files.ts'

/** What the disk must have free for the files of the WAL, in bytes. Without room SQLite leaves them behind empty. */
const walRoom = 1024 * 1024

/**
 * Opens the store for queries, without the lock of the folder, where nobody holds it and no work is left for a writer: the last holder ended
 * in order, the format is current, and all of the journal is in the store; with `indexed` also in the search index.
 *
 * @param indexed true: the queries need the search index
 * @returns the connection, which writes nothing; null when the folder must be opened for writing first, which also tells what is wrong with it
 */
export function openSettled(dataDir: string, indexed: boolean): Db | null {
  let db: Db | null = null
  try {
    const path = storePath(dataDir)
    // SQLite puts files beside the store: among those of another user they would be in that user's way.
    if (existsSync(holderPath(dataDir)) || isForeign(path)) return null
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < walRoom) return null
    db = openUnheld(path)
    if (isSettled(db, dataDir, indexed)) return db
  } catch {
    // Whoever opens it for writing finds out why, and says so.
  }
  db?.close()
  return null
}

function isSettled(db: Db, dataDir: string, indexed: boolean): boolean {
  if (db.pragma('user_version', { simple: true }) !== newestVersion(migrations)) return false
  const { newestId, indexedId } = readStats(db)
  if (indexed && indexedId < newestId) return false
  // Stored as running, though nothing runs.
  const isInterrupted = prepare(db, "SELECT 1 FROM send_job WHERE state = 'running'").get()
  return isInterrupted === undefined && journalEnd(db, dataDir) === firstPosition(db, dataDir)
}

/** The logical position of the journal up to which everything is in the store. */
export function storedPosition(db: Db): number {
  const row = prepare<[], { at: number }>(db, 'SELECT journal_position AS at FROM progress').get()
  return row?.at ?? 0
}

/** The logical position at which the journal ends now. */
export function journalEnd(db: Db, dataDir: string): number {
  return findJournalEnd(journalDir(dataDir), firstPosition(db, dataDir)).end
}

/** After a damaged store was set aside the journal begins behind the store's position. */
function firstPosition(db: Db, dataDir: string): number {
  return Math.max(storedPosition(db), listSegments(journalDir(dataDir))[0]?.start ?? 0)
}
